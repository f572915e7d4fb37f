#pragma once

#include <string>

#include "src/env/env.h"
#include "src/env/episode_clock.h"
#include "src/envs/cartpole/cartpole.pb.h"

// CartPole is the template for a new environment. To add one:
//   1. Copy this folder. Name the message, the extension and the class after the task, and give the
//      extension a number that no other environment has.
//   2. Implement the interface of src/env/env.h. The comments here and in cartpole.cc say how.
//   3. Add its name to src/envs/envs.bzl.
//   4. Run bazel test //tests/envs:all. The conformance test finds the new environment by itself;
//   the
//      playthrough test says how to record a game of it.

namespace dray {

// Balances a pole on a cart by pushing the cart left (0) or right (1): Gymnasium's CartPole-v1,
// equation by equation. Every step pays 1. The episode ends when the pole leans too far or the cart
// leaves the track, and is truncated after max_steps.
class CartPole : public Env {
 public:
  // Takes the environment's own message. Its values were checked against the rules in the .proto
  // when they were loaded.
  explicit CartPole(const CartPoleConfig& config);

  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  std::string Render() const override;

  // Writes the step count (int32), then State. Tests load the state they need.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  // The state is double so that rounding errors do not add up; only observations are float. A
  // struct of plain numbers can be saved as it is.
  struct State {
    double x_m = 0;
    double speed_m_s = 0;
    double angle_rad = 0;  // 0 is upright
    double turn_rad_s = 0;
  };

  void Push(double force_n);
  bool Fallen() const;
  void Observe(std::span<float> observation) const;

  const EnvSpec spec_;
  EpisodeClock clock_;
  State state_;
};

}  // namespace dray
