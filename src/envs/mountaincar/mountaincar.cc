#include "src/envs/mountaincar/mountaincar.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "src/base/error.h"
#include "src/env/task.h"

namespace dray {
namespace {

constexpr double kLeftWall = -1.2;
constexpr double kRightEnd = 0.6;
constexpr double kFlag = 0.5;
constexpr double kMaxSpeed = 0.07;
constexpr double kMotor = 0.001;
constexpr double kGravity = 0.0025;

}  // namespace

MountainCar::MountainCar(const MountainCarConfig& config)
    : spec_{.name = "mountaincar",
            .observation_size = 2,
            .actions = ActionSpace::Discrete(3),
            .max_episode_steps = config.max_steps()},
      clock_(config.max_steps()) {}

void MountainCar::Reset(Rng& rng, std::span<float> observation) {
  clock_.Restart();
  state_ = {.position = rng.Uniform(-0.6, -0.4), .velocity = 0};
  Observe(observation);
}

Outcome MountainCar::Step(const Action& action, Rng& /*rng*/, std::span<float> observation) {
  const double slope = std::cos(3 * state_.position);
  state_.velocity += (action.index - 1) * kMotor + slope * -kGravity;
  state_.velocity = std::clamp(state_.velocity, -kMaxSpeed, kMaxSpeed);
  state_.position = std::clamp(state_.position + state_.velocity, kLeftWall, kRightEnd);
  if (state_.position == kLeftWall && state_.velocity < 0) state_.velocity = 0;
  Observe(observation);
  const bool arrived = state_.position >= kFlag && state_.velocity >= 0;
  return {.reward = -1.0f, .terminated = arrived, .truncated = clock_.Tick()};
}

void MountainCar::Observe(std::span<float> observation) const {
  observation[0] = state_.position;
  observation[1] = state_.velocity;
}

std::string MountainCar::Render() const {
  char line[120];
  std::snprintf(line, sizeof(line), "step %d: car at %+.4f moving %+.5f, height %.3f",
                clock_.steps(), state_.position, state_.velocity,
                0.55 + 0.45 * std::sin(3 * state_.position));
  return line;
}

void MountainCar::Save(ByteWriter& out) const {
  clock_.Save(out);
  out.Put(state_);
}

void MountainCar::Load(ByteReader& in) {
  clock_.Load(in);
  const auto state = in.Get<State>();
  const bool possible = state.position >= kLeftWall && state.position <= kRightEnd &&
                        std::abs(state.velocity) <= kMaxSpeed;
  if (!possible) throw Failure("a saved state of mountaincar is damaged");
  state_ = state;
}

namespace tasks {
Task mountaincar() {
  return {.name = "mountaincar", .make_envs = BatchOf<MountainCar, ::dray::mountaincar>};
}
}  // namespace tasks

}  // namespace dray
