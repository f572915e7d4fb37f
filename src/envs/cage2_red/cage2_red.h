#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/env/env.h"
#include "src/envs/cage2/cage2.h"
#include "src/envs/cage2_red/blue_player.h"

namespace dray {

// CAGE challenge 2 as a task for the intruder: Cage2 with fixed blues, where red's moves are the
// actions. Observations and masks are those of red_view.h; the reward is what blue loses.
class Cage2Red : public Env {
 public:
  Cage2Red(const Cage2RedConfig& config, const cage2::Defence& defence);

  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  void WriteMask(std::span<uint8_t> mask) const override;
  void WriteEpisodeStats(std::span<double> stats) const override;
  std::string Render() const override { return game_.Render(); }
  std::string Frame() const override { return game_.Frame(); }

  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

  // Blue's last action, in its own action set.
  int blue_action() const { return blue_action_; }

 private:
  // Plays the move it is given.
  struct Hand final : cage2::RedPlayer {
    cage2::RedMove Choose(size_t, const cage2::RedKnowledge&, float, Rng&) override { return move; }
    cage2::RedMove move;
  };

  int ChooseBlue();
  void Observe(std::span<float> observation) const;

  const EnvSpec spec_;
  const std::shared_ptr<Hand> hand_;
  Cage2 game_;
  const std::unique_ptr<cage2::BluePlayer> blue_;
  Rng blue_rng_{0, RngPurpose::kAction, 0};
  std::vector<float> blue_observation_;
  std::vector<uint8_t> blue_mask_;  // scratch
  int blue_action_ = 0;
};

}  // namespace dray
