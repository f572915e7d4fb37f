#include "src/envs/cage2/opponents.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/printed.h"
#include "src/envs/cage2/cage2_red.pb.h"
#include "src/envs/cage2/mixture.h"
#include "src/envs/cage2/red_mixture.h"
#include "src/envs/cage2/red_view.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/nets/sampling.h"

namespace dray::cage2 {
namespace {

class TrainedRed final : public RedPlayer {
 public:
  TrainedRed(std::vector<Policy> policies, std::vector<double> shares, bool greedy,
             const Network& network)
      : policies_(std::move(policies)),
        shares_(std::move(shares)),
        greedy_(greedy),
        network_(network),
        observation_(RedValues(network)),
        mask_(RedActions(network).count) {}

  size_t policies() const override { return policies_.size(); }
  size_t DrawPolicy(Rng& rng) override { return DrawShare(shares_, rng); }
  RedMove Choose(size_t policy, const RedKnowledge& knowledge, float progress, Rng& rng) override {
    WriteRedObservation(knowledge, progress, network_, observation_);
    WriteRedMask(knowledge, network_, mask_);
    const std::span<const float> logits = policies_[policy].Outputs(observation_);
    const int action =
        greedy_ ? BestAction(logits, mask_) : DrawCategorical(logits, mask_, rng).action;
    return RedMoveOf(action, network_);
  }

 private:
  std::vector<Policy> policies_;
  const std::vector<double> shares_;
  const bool greedy_;
  const Network& network_;
  std::vector<float> observation_;
  std::vector<uint8_t> mask_;
};

bool IsRun(const std::filesystem::path& folder) {
  return std::filesystem::is_directory(folder / "checkpoints");
}

// Returns the runs in a folder of runs, sorted by name, or the path itself.
std::vector<std::string> RunsAt(const std::string& path) {
  std::vector<std::string> runs;
  std::error_code ignored;
  if (!IsRun(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
      if (IsRun(entry.path())) runs.push_back(entry.path().string());
    }
  }
  if (runs.empty()) return {path};
  std::ranges::sort(runs);
  return runs;
}

void ExpectNoMemory(const Opponent& opponent, const std::string& setting) {
  if (opponent.policy.config.network().kind() != GRU) return;
  throw UsageError(setting, ": ", opponent.path,
                   " is a policy with memory (network.kind gru), which cannot be an opponent");
}

std::vector<Opponent> ReadAll(const OpponentSetting& named) {
  const Mixture mixture = Mixture::Parse(named.text, named.setting);
  std::vector<Opponent> opponents;
  for (size_t i = 0; i < mixture.names.size(); ++i) {
    const std::vector<std::string> runs = RunsAt(mixture.names[i]);
    for (const std::string& run : runs) {
      opponents.push_back({.path = run,
                           .share = mixture.shares[i] / static_cast<double>(runs.size()),
                           .policy = TrainedPolicy::Read(run, named.env, named.setting)});
    }
  }
  return opponents;
}

// The text, and a line for each policy: its share, its path and what TrainedPolicy makes of it. One
// policy alone is its path and that, as before there could be several.
std::string CarriedText(const std::string& text, const std::vector<Opponent>& opponents) {
  if (opponents.size() == 1 && opponents[0].path == text) {
    return Cat(text, " ", opponents[0].policy.ToText());
  }
  std::string carried = text;
  for (const Opponent& each : opponents) {
    carried += Cat("\n", Printed("%.17g", each.share), " ", each.path, " ", each.policy.ToText());
  }
  return carried;
}

// Returns the policies that a run carries; none if it carries those of another text.
std::vector<Opponent> ReadCarried(const OpponentSetting& named) {
  const auto policy = [&](std::string_view text) {
    return TrainedPolicy::FromText(text, named.env, named.setting);
  };
  const std::string_view carried = named.carried;
  if (carried.starts_with(named.text + " ")) {
    return {{.path = named.text, .policy = policy(carried.substr(named.text.size() + 1))}};
  }
  std::vector<Opponent> opponents;
  if (!carried.starts_with(named.text + "\n")) return opponents;
  std::istringstream lines(std::string(carried.substr(named.text.size() + 1)));
  for (std::string line; std::getline(lines, line);) {
    const size_t path = line.find(' ') + 1, text = line.rfind(' ') + 1;
    if (path == 0 || text <= path) {
      throw Failure(named.setting, ": the policies that the settings carry are damaged");
    }
    opponents.push_back({.path = line.substr(path, text - 1 - path),
                         .share = std::strtod(line.c_str(), nullptr),
                         .policy = policy(std::string_view(line).substr(text))});
  }
  return opponents;
}

}  // namespace

std::vector<Opponent> ReadOpponents(const OpponentSetting& named) {
  if (named.text.empty()) {
    throw UsageError(named.setting, ": names no policy; give the folder of a run of ", named.env,
                     ", or one of its checkpoints");
  }
  std::vector<Opponent> opponents = ReadCarried(named);
  if (opponents.empty()) opponents = ReadAll(named);
  for (const Opponent& each : opponents) ExpectNoMemory(each, named.setting);
  return opponents;
}

std::vector<double> SharesOf(const std::vector<Opponent>& opponents) {
  std::vector<double> shares;
  for (const Opponent& each : opponents) shares.push_back(each.share);
  return shares;
}

std::string CarryOpponents(const OpponentSetting& named) {
  std::vector<Opponent> opponents = ReadOpponents(named);
  for (Opponent& each : opponents) {
    EnvConfig* env = each.policy.config.mutable_env();
    if (env->HasExtension(Cage2Config::cage2)) {
      env->MutableExtension(Cage2Config::cage2)->clear_red_carried();
    }
    if (env->HasExtension(Cage2RedConfig::cage2_red)) {
      env->MutableExtension(Cage2RedConfig::cage2_red)->clear_blue_carried();
    }
  }
  return CarriedText(named.text, opponents);
}

OpponentSetting RedOpponent(const Cage2Config& config) {
  return {.setting = "env.cage2.red_policy",
          .env = "cage2_red",
          .text = config.red_policy(),
          .carried = config.red_carried()};
}

bool MeetsLearnedRed(const Cage2Config& config) {
  return RedMixture(config.red()).Includes(RedAgent::kLearned) ||
         (!config.first_red().empty() &&
          RedMixture(config.first_red()).Includes(RedAgent::kLearned));
}

std::shared_ptr<RedPlayer> MakeTrainedRed(const Cage2Config& config) {
  const OpponentSetting named = RedOpponent(config);
  const Network& network = NetworkOf(config.scenario());
  const EnvSpec spec = RedSpec(config.max_steps(), network);
  const std::vector<Opponent> opponents = ReadOpponents(named);
  std::vector<Policy> policies;
  for (const Opponent& each : opponents) {
    policies.push_back(each.policy.Make(spec, named.setting));
  }
  return std::make_shared<TrainedRed>(std::move(policies), SharesOf(opponents), config.red_greedy(),
                                      network);
}

}  // namespace dray::cage2
