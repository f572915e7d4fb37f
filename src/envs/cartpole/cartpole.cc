#include "src/envs/cartpole/cartpole.h"

#include <cmath>
#include <cstdio>
#include <numbers>

#include "src/base/error.h"
#include "src/env/task.h"

namespace dray {
namespace {

// Constants of the task, with their units. What a user may want to change is a field of the .proto
// instead.
constexpr double kGravity_m_s2 = 9.8;
constexpr double kPoleMass_kg = 0.1;
constexpr double kTotalMass_kg = kPoleMass_kg + 1.0;
constexpr double kHalfPole_m = 0.5;
constexpr double kPoleMoment_kg_m = kPoleMass_kg * kHalfPole_m;
constexpr double kForce_n = 10.0;
constexpr double kStep_s = 0.02;
constexpr double kTrackEnd_m = 2.4;
constexpr double kMaxAngle_rad = 12 * 2 * std::numbers::pi / 360;
constexpr double kResetRange = 0.05;

// No episode comes near this: a saved number beyond it is damaged.
constexpr double kImpossible = 1e3;

}  // namespace

// The spec is all that the trainer learns about an environment: it sizes networks and buffers. Add
// `.masked = true` and WriteMask when actions can be forbidden, `.episode_stats` and
// WriteEpisodeStats when an episode ends with more numbers worth a curve.
CartPole::CartPole(const CartPoleConfig& config)
    : spec_{.name = "cartpole",
            .observation_size = 4,
            .actions = ActionSpace::Discrete(2),
            .max_episode_steps = config.max_steps()},
      clock_(config.max_steps()) {}

// All chance comes from `rng`. It goes on from episode to episode, and it is saved and seeded by
// the batch: an environment keeps no generator of its own.
void CartPole::Reset(Rng& rng, std::span<float> observation) {
  clock_.Restart();
  state_.x_m = rng.Uniform(-kResetRange, kResetRange);
  state_.speed_m_s = rng.Uniform(-kResetRange, kResetRange);
  state_.angle_rad = rng.Uniform(-kResetRange, kResetRange);
  state_.turn_rad_s = rng.Uniform(-kResetRange, kResetRange);
  Observe(observation);
}

// An outcome says apart whether the task ended (terminated: nothing follows) or only the clock ran
// out (truncated: the learner values what would have followed). Report both as they are, also when
// they coincide. The observation of the last step is written too; the batch calls Reset afterwards.
Outcome CartPole::Step(const Action& action, Rng& /*rng*/, std::span<float> observation) {
  Push(action.index == 1 ? kForce_n : -kForce_n);
  Observe(observation);
  return {.reward = 1.0f, .terminated = Fallen(), .truncated = clock_.Tick()};
}

void CartPole::Push(double force_n) {
  const double cosine = std::cos(state_.angle_rad);
  const double sine = std::sin(state_.angle_rad);
  const double turn2 = state_.turn_rad_s * state_.turn_rad_s;
  const double pushed = (force_n + kPoleMoment_kg_m * turn2 * sine) / kTotalMass_kg;
  const double turn_change =
      (kGravity_m_s2 * sine - cosine * pushed) /
      (kHalfPole_m * (4.0 / 3.0 - kPoleMass_kg * (cosine * cosine) / kTotalMass_kg));
  const double speed_change = pushed - kPoleMoment_kg_m * turn_change * cosine / kTotalMass_kg;

  // Euler's method: positions move by the speeds before the push.
  state_.x_m += kStep_s * state_.speed_m_s;
  state_.speed_m_s += kStep_s * speed_change;
  state_.angle_rad += kStep_s * state_.turn_rad_s;
  state_.turn_rad_s += kStep_s * turn_change;
}

bool CartPole::Fallen() const {
  return std::abs(state_.x_m) > kTrackEnd_m || std::abs(state_.angle_rad) > kMaxAngle_rad;
}

// `observation` is a row of the batch's memory, with unknown content: write every element.
void CartPole::Observe(std::span<float> observation) const {
  observation[0] = state_.x_m;
  observation[1] = state_.speed_m_s;
  observation[2] = state_.angle_rad;
  observation[3] = state_.turn_rad_s;
}

std::string CartPole::Render() const {
  char line[160];
  std::snprintf(line, sizeof(line),
                "step %d: cart at %+.3f m moving %+.3f m/s, pole at %+.2f degrees turning %+.3f "
                "rad/s",
                clock_.steps(), state_.x_m, state_.speed_m_s,
                state_.angle_rad * 180 / std::numbers::pi, state_.turn_rad_s);
  return line;
}

void CartPole::Save(ByteWriter& out) const {
  clock_.Save(out);
  out.Put(state_);
}

// A checkpoint can be damaged, or come from elsewhere: check what the code relies on, and throw.
void CartPole::Load(ByteReader& in) {
  clock_.Load(in);
  const auto state = in.Get<State>();
  for (const double value : {state.x_m, state.speed_m_s, state.angle_rad, state.turn_rad_s}) {
    // Written so that NaN fails as well.
    if (!(std::abs(value) < kImpossible)) throw Failure("a saved state of cartpole is damaged");
  }
  state_ = state;
}

namespace tasks {
Task cartpole() { return {.name = "cartpole", .make_envs = BatchOf<CartPole, ::dray::cartpole>}; }
}  // namespace tasks

}  // namespace dray
