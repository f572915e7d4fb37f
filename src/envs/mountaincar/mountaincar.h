#pragma once

#include <string>

#include "src/env/env.h"
#include "src/env/episode_clock.h"
#include "src/envs/mountaincar/mountaincar.pb.h"

namespace dray {

// Drives a car up a hill that is too steep for its motor, by rocking: Gymnasium's MountainCar-v0.
// Actions: accelerate left (0), not at all (1) or right (2). Every step costs 1 until the car
// reaches the flag at 0.5.
class MountainCar : public Env {
 public:
  explicit MountainCar(const MountainCarConfig& config);

  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  std::string Render() const override;

  // Writes the step count (int32), then State.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  struct State {
    double position = 0;
    double velocity = 0;
  };

  void Observe(std::span<float> observation) const;

  const EnvSpec spec_;
  EpisodeClock clock_;
  State state_;
};

}  // namespace dray
