#include "src/envs/cage2_red/cage2_red.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/envs/cage2/red_view.h"
#include "src/envs/cage2/scenario/scenario_files.h"

namespace dray {
namespace {

// Statistics of blue, which come first among those of cage2.
const std::vector<std::string> kStats = {"blue_return", "blue_return_30", "blue_return_50",
                                         "server_down_steps", "server_restored"};

EnvSpec MakeSpec(const Cage2RedConfig& config, const cage2::Network& network) {
  EnvSpec spec = cage2::RedSpec(config.max_steps(), network);
  spec.episode_stats = kStats;
  spec.renders_last_step = true;
  return spec;
}

}  // namespace

Cage2Red::Cage2Red(const Cage2RedConfig& config, const cage2::Defence& defence)
    : spec_(MakeSpec(config, cage2::NetworkOf(defence.game.scenario()))),
      hand_(std::make_shared<Hand>()),
      game_(defence.game, hand_),
      blue_(defence.make_player()),
      blue_observation_(game_.spec().observation_size),
      blue_mask_(game_.spec().masked ? game_.spec().actions.count : 0) {}

void Cage2Red::Reset(Rng& rng, std::span<float> observation) {
  game_.Reset(rng, blue_observation_);
  blue_rng_ = Rng(rng.Next64(), RngPurpose::kAction, 0);
  blue_->Begin(blue_rng_);
  Observe(observation);
}

int Cage2Red::ChooseBlue() {
  if (!blue_mask_.empty()) game_.WriteMask(blue_mask_);
  return blue_->Act(blue_observation_, blue_mask_, blue_rng_);
}

Outcome Cage2Red::Step(const Action& action, Rng& rng, std::span<float> observation) {
  blue_action_ = ChooseBlue();
  hand_->move = cage2::RedMoveOf(action.index, game_.network());
  Outcome outcome = game_.Step({.index = blue_action_, .values = {}}, rng, blue_observation_);
  // Excludes rewards that blue gets beyond the game.
  outcome.reward = -game_.last_record().reward();
  Observe(observation);
  return outcome;
}

void Cage2Red::Observe(std::span<float> observation) const {
  cage2::WriteRedObservation(game_.red_knowledge(), game_.time(), game_.network(), observation);
}

void Cage2Red::WriteMask(std::span<uint8_t> mask) const {
  cage2::WriteRedMask(game_.red_knowledge(), game_.network(), mask);
}

void Cage2Red::WriteEpisodeStats(std::span<double> stats) const {
  std::vector<double> all(game_.spec().episode_stats.size());
  game_.WriteEpisodeStats(all);
  std::copy_n(all.begin(), stats.size(), stats.begin());
}

void Cage2Red::Save(ByteWriter& out) const {
  game_.Save(out);
  blue_->Save(out);
  blue_rng_.Save(out);
  out.PutVector(blue_observation_);
}

void Cage2Red::Load(ByteReader& in) {
  game_.Load(in);
  blue_->Load(in);
  blue_rng_.Load(in);
  in.GetInto<float>(blue_observation_);
  if (!std::ranges::all_of(blue_observation_, [](float v) { return std::isfinite(v); })) {
    throw Failure("a saved observation of cage2_red's blue is damaged");
  }
}

}  // namespace dray
