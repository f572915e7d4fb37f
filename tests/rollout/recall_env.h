#pragma once

#include "src/env/env.h"

namespace dray {

// A task that needs memory: the first observation shows which of two actions is right at the end,
// which is told by a second number 3 to 6 steps later. Everything else is 0. In half of the
// episodes a time limit comes a step before the answer.
class RecallEnv : public Env {
 public:
  RecallEnv();

  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  void WriteEpisodeStats(std::span<double> stats) const override { stats[0] = cut_; }
  std::string Render() const override { return ""; }
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  EnvSpec spec_;
  int32_t right_ = 0;
  int32_t steps_left_ = 0;
  bool cut_ = false;
};

}  // namespace dray
