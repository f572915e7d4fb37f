#include "src/envs/cage2/opponents.h"

#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/envs/cage2/cage2_red.pb.h"
#include "src/envs/cage2/red_mixture.h"
#include "src/envs/cage2/red_view.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/nets/sampling.h"

namespace dray::cage2 {
namespace {

class TrainedRed final : public RedPlayer {
 public:
  TrainedRed(Policy policy, bool greedy, const Network& network)
      : policy_(std::move(policy)),
        greedy_(greedy),
        network_(network),
        observation_(RedValues(network)),
        mask_(RedActions(network).count) {}

  RedMove Choose(const RedKnowledge& knowledge, float progress, Rng& rng) override {
    WriteRedObservation(knowledge, progress, network_, observation_);
    WriteRedMask(knowledge, network_, mask_);
    const std::span<const float> logits = policy_.Outputs(observation_);
    const int action =
        greedy_ ? BestAction(logits, mask_) : DrawCategorical(logits, mask_, rng).action;
    return RedMoveOf(action, network_);
  }

 private:
  Policy policy_;
  const bool greedy_;
  const Network& network_;
  std::vector<float> observation_;
  std::vector<uint8_t> mask_;
};

}  // namespace

TrainedPolicy ReadOpponent(const OpponentSetting& named) {
  if (named.path.empty()) {
    throw UsageError(named.setting, ": names no policy; give the folder of a run of ", named.env,
                     ", or one of its checkpoints");
  }
  const std::string beginning = named.path + " ";
  TrainedPolicy policy =
      named.carried.starts_with(beginning)
          ? TrainedPolicy::FromText(std::string_view(named.carried).substr(beginning.size()),
                                    named.env, named.setting)
          : TrainedPolicy::Read(named.path, named.env, named.setting);
  if (policy.config.network().kind() == GRU) {
    throw UsageError(named.setting, ": ", named.path,
                     " is a policy with memory (network.kind gru), which cannot be an opponent");
  }
  return policy;
}

std::string CarryOpponent(const OpponentSetting& named) {
  TrainedPolicy policy = ReadOpponent(named);
  EnvConfig* env = policy.config.mutable_env();
  if (env->HasExtension(Cage2Config::cage2)) {
    env->MutableExtension(Cage2Config::cage2)->clear_red_carried();
  }
  if (env->HasExtension(Cage2RedConfig::cage2_red)) {
    env->MutableExtension(Cage2RedConfig::cage2_red)->clear_blue_carried();
  }
  return Cat(named.path, " ", policy.ToText());
}

OpponentSetting RedOpponent(const Cage2Config& config) {
  return {.setting = "env.cage2.red_policy",
          .env = "cage2_red",
          .path = config.red_policy(),
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
  return std::make_shared<TrainedRed>(
      ReadOpponent(named).Make(RedSpec(config.max_steps(), network), named.setting),
      config.red_greedy(), network);
}

}  // namespace dray::cage2
