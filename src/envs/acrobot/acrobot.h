#pragma once

#include <array>
#include <string>

#include "src/env/env.h"
#include "src/env/episode_clock.h"
#include "src/envs/acrobot/acrobot.pb.h"

namespace dray {

// Swing the free end of a two-link arm above a bar by turning the joint between the links:
// Acrobot-v1 of Gymnasium, with the equations of Sutton and Barto's book. Actions: a torque of -1
// (0), none (1) or +1 (2). Every step costs 1 but the one that reaches the bar.
class Acrobot : public Env {
 public:
  explicit Acrobot(const AcrobotConfig& config);

  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  std::string Render() const override;

  // The step count (int32), then State.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  // Angle of the upper link from hanging, angle of the lower one from the upper, their speeds: in
  // rad and rad/s.
  using State = std::array<double, 4>;

  // How the state changes per second.
  static State Change(const State& state, double torque);
  static State Integrated(const State& state, double torque);
  double TipHeight() const;
  void Observe(std::span<float> observation) const;

  const EnvSpec spec_;
  EpisodeClock clock_;
  State state_{};
};

}  // namespace dray
