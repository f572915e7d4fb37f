#pragma once

#include <string>

#include "src/env/env.h"
#include "src/env/episode_clock.h"
#include "src/envs/pendulum/pendulum.pb.h"

namespace dray {

// Swings a pendulum up and holds it there with a weak motor: Gymnasium's Pendulum-v1. The action is
// a torque in [-2, 2]; every step costs the weighted squares of angle, speed and torque. Episodes
// never terminate; they are truncated after max_steps.
class Pendulum : public Env {
 public:
  explicit Pendulum(const PendulumConfig& config);

  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  std::string Render() const override;

  // Writes the step count (int32), then State.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  struct State {
    double angle_rad = 0;  // 0 is upright; counts full turns
    double turn_rad_s = 0;
  };

  void Observe(std::span<float> observation) const;

  const EnvSpec spec_;
  EpisodeClock clock_;
  State state_;
};

}  // namespace dray
