#pragma once

#include <array>
#include <string>

#include "src/env/env.h"
#include "src/env/episode_clock.h"
#include "src/envs/acrobot/acrobot.pb.h"

namespace dray {

// Swings the free end of a two-link arm above a bar by turning the joint between the links:
// Gymnasium's Acrobot-v1, with the equations of Sutton and Barto's book. Actions: a torque of -1
// (0), none (1) or +1 (2). Every step costs 1, except the one that reaches the bar.
class Acrobot : public Env {
 public:
  explicit Acrobot(const AcrobotConfig& config);

  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  std::string Render() const override;

  // Writes the step count (int32), then State.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  // Angle of the upper link (0: hanging), angle of the lower link relative to it, and their speeds;
  // in rad and rad/s.
  using State = std::array<double, 4>;

  // Returns the time derivative of the state.
  static State Change(const State& state, double torque);
  static State Integrated(const State& state, double torque);
  double TipHeight() const;
  void Observe(std::span<float> observation) const;

  const EnvSpec spec_;
  EpisodeClock clock_;
  State state_{};
};

}  // namespace dray
