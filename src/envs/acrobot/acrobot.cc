#include "src/envs/acrobot/acrobot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "src/base/error.h"
#include "src/env/task.h"

namespace dray {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kGravity_m_s2 = 9.8;
constexpr double kStep_s = 0.2;
// The same for both links.
constexpr double kMass_kg = 1.0;
constexpr double kLength_m = 1.0;
constexpr double kCentre_m = 0.5;  // centre of mass, from the upper end
constexpr double kInertia_kg_m2 = 1.0;
constexpr double kMaxTurn1_rad_s = 4 * kPi;
constexpr double kMaxTurn2_rad_s = 9 * kPi;
constexpr double kBar_m = 1.0;  // height above the hinge

// Wraps an angle to [-pi, pi].
double Wrapped(double angle_rad) {
  while (angle_rad > kPi) angle_rad -= 2 * kPi;
  while (angle_rad < -kPi) angle_rad += 2 * kPi;
  return angle_rad;
}

}  // namespace

Acrobot::Acrobot(const AcrobotConfig& config)
    : spec_{.name = "acrobot",
            .observation_size = 6,
            .actions = ActionSpace::Discrete(3),
            .max_episode_steps = config.max_steps()},
      clock_(config.max_steps()) {}

void Acrobot::Reset(Rng& rng, std::span<float> observation) {
  clock_.Restart();
  // Gymnasium rounds the first state, and only that one, to float.
  for (double& value : state_) value = static_cast<float>(rng.Uniform(-0.1, 0.1));
  Observe(observation);
}

Outcome Acrobot::Step(const Action& action, Rng& /*rng*/, std::span<float> observation) {
  state_ = Integrated(state_, /*torque=*/action.index - 1);
  state_[0] = Wrapped(state_[0]);
  state_[1] = Wrapped(state_[1]);
  state_[2] = std::clamp(state_[2], -kMaxTurn1_rad_s, kMaxTurn1_rad_s);
  state_[3] = std::clamp(state_[3], -kMaxTurn2_rad_s, kMaxTurn2_rad_s);
  Observe(observation);
  const bool reached = TipHeight() > kBar_m;
  return {.reward = reached ? 0.0f : -1.0f, .terminated = reached, .truncated = clock_.Tick()};
}

// Lagrange's equations of a double pendulum with a torque between the links.
Acrobot::State Acrobot::Change(const State& state, double torque) {
  const auto [angle1, angle2, turn1, turn2] = state;
  constexpr double kCentre2 = kCentre_m * kCentre_m;
  constexpr double kCoupling = kMass_kg * kLength_m * kCentre_m;
  const double sine2 = std::sin(angle2);
  const double cosine2 = std::cos(angle2);

  const double inertia1 =
      kMass_kg * kCentre2 +
      kMass_kg * (kLength_m * kLength_m + kCentre2 + 2 * kLength_m * kCentre_m * cosine2) +
      kInertia_kg_m2 + kInertia_kg_m2;
  const double inertia2 = kMass_kg * (kCentre2 + kLength_m * kCentre_m * cosine2) + kInertia_kg_m2;
  const double weight2 = kMass_kg * kCentre_m * kGravity_m_s2 * std::cos(angle1 + angle2 - kPi / 2);
  const double weight1 =
      (kMass_kg * kCentre_m + kMass_kg * kLength_m) * kGravity_m_s2 * std::cos(angle1 - kPi / 2);
  const double load1 = -kCoupling * (turn2 * turn2) * sine2 -
                       2 * kCoupling * turn2 * turn1 * sine2 + weight1 + weight2;

  const double speedup2 =
      (torque + inertia2 / inertia1 * load1 - kCoupling * (turn1 * turn1) * sine2 - weight2) /
      (kMass_kg * kCentre2 + kInertia_kg_m2 - inertia2 * inertia2 / inertia1);
  const double speedup1 = -(inertia2 * speedup2 + load1) / inertia1;
  return {turn1, turn2, speedup1, speedup2};
}

// One step of the classic Runge-Kutta method of fourth order.
Acrobot::State Acrobot::Integrated(const State& state, double torque) {
  const auto moved = [&state](double seconds, const State& change) {
    State result = state;
    for (size_t i = 0; i < result.size(); ++i) result[i] += seconds * change[i];
    return result;
  };
  const State k1 = Change(state, torque);
  const State k2 = Change(moved(kStep_s / 2, k1), torque);
  const State k3 = Change(moved(kStep_s / 2, k2), torque);
  const State k4 = Change(moved(kStep_s, k3), torque);
  State sum;
  for (size_t i = 0; i < sum.size(); ++i) sum[i] = k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i];
  return moved(kStep_s / 6, sum);
}

double Acrobot::TipHeight() const { return -std::cos(state_[0]) - std::cos(state_[1] + state_[0]); }

void Acrobot::Observe(std::span<float> observation) const {
  observation[0] = std::cos(state_[0]);
  observation[1] = std::sin(state_[0]);
  observation[2] = std::cos(state_[1]);
  observation[3] = std::sin(state_[1]);
  observation[4] = state_[2];
  observation[5] = state_[3];
}

std::string Acrobot::Render() const {
  char line[160];
  std::snprintf(line, sizeof(line),
                "step %d: links at %+.2f and %+.2f degrees turning %+.3f and %+.3f rad/s, tip at "
                "height %+.3f of %.1f",
                clock_.steps(), state_[0] * 180 / kPi, state_[1] * 180 / kPi, state_[2], state_[3],
                TipHeight(), kBar_m);
  return line;
}

void Acrobot::Save(ByteWriter& out) const {
  clock_.Save(out);
  out.Put(state_);
}

void Acrobot::Load(ByteReader& in) {
  clock_.Load(in);
  const auto state = in.Get<State>();
  const State bounds = {kPi, kPi, kMaxTurn1_rad_s, kMaxTurn2_rad_s};
  for (size_t i = 0; i < state.size(); ++i) {
    // Written so that NaN fails as well.
    if (!(std::abs(state[i]) <= bounds[i])) throw Failure("a saved state of acrobot is damaged");
  }
  state_ = state;
}

namespace tasks {
Task acrobot() { return {.name = "acrobot", .make_envs = BatchOf<Acrobot, ::dray::acrobot>}; }
}  // namespace tasks

}  // namespace dray
