#include "src/envs/pendulum/pendulum.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "src/base/error.h"
#include "src/env/task.h"

namespace dray {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kGravity_m_s2 = 10.0;
constexpr double kMass_kg = 1.0;
constexpr double kLength_m = 1.0;
constexpr double kStep_s = 0.05;
constexpr double kMaxTurn_rad_s = 8.0;
constexpr float kMaxTorque_n_m = 2.0f;

// The longest episode at the greatest speed stays below this.
constexpr double kImpossibleAngle_rad = 1e6;

// The same angle within [-pi, pi).
double Wrapped(double angle_rad) {
  double turned = std::fmod(angle_rad + kPi, 2 * kPi);
  if (turned < 0) turned += 2 * kPi;
  return turned - kPi;
}

}  // namespace

Pendulum::Pendulum(const PendulumConfig& config)
    : spec_{.name = "pendulum",
            .observation_size = 3,
            .actions = ActionSpace::Box({-kMaxTorque_n_m}, {kMaxTorque_n_m}),
            // Episodes are equally long, but its reference recipe uses rollouts shorter than one:
            // the spec does not say fixed_length.
            .max_episode_steps = config.max_steps()},
      clock_(config.max_steps()) {}

void Pendulum::Reset(Rng& rng, std::span<float> observation) {
  clock_.Restart();
  state_.angle_rad = rng.Uniform(-kPi, kPi);
  state_.turn_rad_s = rng.Uniform(-1, 1);
  Observe(observation);
}

Outcome Pendulum::Step(const Action& action, Rng& /*rng*/, std::span<float> observation) {
  // Terms of the torque alone are float in Gymnasium, the others double.
  const float torque = action.values[0];
  const float pull = static_cast<float>(3.0 / (kMass_kg * kLength_m * kLength_m)) * torque;
  const double angle = Wrapped(state_.angle_rad);
  const double cost =
      angle * angle + 0.1 * (state_.turn_rad_s * state_.turn_rad_s) + 0.001f * (torque * torque);

  const double fall = 3 * kGravity_m_s2 / (2 * kLength_m) * std::sin(state_.angle_rad);
  state_.turn_rad_s =
      std::clamp(state_.turn_rad_s + (fall + pull) * kStep_s, -kMaxTurn_rad_s, kMaxTurn_rad_s);
  state_.angle_rad += state_.turn_rad_s * kStep_s;
  Observe(observation);
  return {.reward = static_cast<float>(-cost), .terminated = false, .truncated = clock_.Tick()};
}

void Pendulum::Observe(std::span<float> observation) const {
  observation[0] = std::cos(state_.angle_rad);
  observation[1] = std::sin(state_.angle_rad);
  observation[2] = state_.turn_rad_s;
}

std::string Pendulum::Render() const {
  char line[120];
  std::snprintf(line, sizeof(line),
                "step %d: pendulum at %+.2f degrees from upright, turning %+.3f rad/s",
                clock_.steps(), Wrapped(state_.angle_rad) * 180 / kPi, state_.turn_rad_s);
  return line;
}

void Pendulum::Save(ByteWriter& out) const {
  clock_.Save(out);
  out.Put(state_);
}

void Pendulum::Load(ByteReader& in) {
  clock_.Load(in);
  const auto state = in.Get<State>();
  const bool possible = std::abs(state.angle_rad) < kImpossibleAngle_rad &&
                        std::abs(state.turn_rad_s) <= kMaxTurn_rad_s;
  if (!possible) throw Failure("a saved state of pendulum is damaged");
  state_ = state;
}

namespace tasks {
Task pendulum() { return {.name = "pendulum", .make_envs = BatchOf<Pendulum, ::dray::pendulum>}; }
}  // namespace tasks

}  // namespace dray
