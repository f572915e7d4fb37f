#include "src/config/validate.h"

#include "src/base/error.h"
#include "src/config/fields.h"

namespace dray {
namespace {

void ValidateScale(const ScaleConfig& scale) {
  const int64_t workers = scale.num_workers();
  const int64_t per_worker = scale.num_envs_per_worker();
  if (per_worker > 0 && workers == 0) {
    throw UsageError("scale.num_envs_per_worker: ", per_worker,
                     " needs scale.num_workers; give both, or scale.num_envs alone");
  }
  const double most = RuleOf(*FindPath(*ScaleConfig::descriptor(), "num_envs")).max();
  if (static_cast<double>(workers * per_worker) > most) {
    throw UsageError("scale.num_workers: ", workers, " workers of ", per_worker,
                     " environments are more than the ", NumberText(most),
                     " that scale.num_envs allows; lower one of the two");
  }
  if (per_worker == 0 && scale.num_envs() > 0 && workers > scale.num_envs()) {
    throw UsageError("scale.num_workers: ", workers, " workers cannot share ", scale.num_envs(),
                     " environments; raise scale.num_envs or lower scale.num_workers");
  }
}

void ValidateTrain(const TrainConfig& train) {
  if (train.epochs() == 0 && train.total_steps() == 0 && train.episodes() == 0 &&
      train.duration_s() == 0) {
    throw UsageError(
        "train: nothing stops the run; set train.episodes, train.epochs, train.total_steps or "
        "train.duration_s");
  }
}

void ValidatePpo(const PpoConfig& ppo) {
  if (ppo.max_policy_lag() > 0 && ppo.update_interval() > 1) {
    throw UsageError("ppo.update_interval: ", ppo.update_interval(),
                     " cannot go with ppo.max_policy_lag ", ppo.max_policy_lag(),
                     "; set one of them back (update_interval 1, or max_policy_lag 0)");
  }
}

void ValidateNetwork(const NetworkConfig& network, const NormalizeConfig& normalize) {
  if (network.kind() != ATTENTION) return;
  if (network.attention_width() % network.attention_heads() != 0) {
    throw UsageError("network.attention_heads: ", network.attention_heads(),
                     " heads cannot share network.attention_width ", network.attention_width(),
                     " evenly; take a width that is a multiple of the heads");
  }
  if (normalize.observations()) {
    throw UsageError(
        "normalize.observations: cannot go with network.kind attention, whose tokens are 0 where "
        "there is none; set one of them back");
  }
}

}  // namespace

void Validate(const Config& config) {
  if (config.env().name().empty()) {
    throw UsageError("env.name: is empty; name the environment to train on");
  }
  ValidateScale(config.scale());
  ValidateTrain(config.train());
  ValidatePpo(config.ppo());
  ValidateNetwork(config.network(), config.normalize());
}

}  // namespace dray
