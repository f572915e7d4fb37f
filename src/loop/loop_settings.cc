#include "src/loop/loop_settings.h"

namespace dray {

LoopSettings LoopSettingsOf(const Config& config, const RunPlan& plan) {
  LoopSettings settings;
  settings.shards = plan.shard_sizes.size();
  settings.update_interval = config.ppo().update_interval();
  settings.max_policy_lag = config.ppo().max_policy_lag();
  settings.epoch_limit = plan.epochs;
  settings.episode_limit = plan.epochs > 0 ? 0 : config.train().episodes();
  settings.evaluation_interval = config.evaluation().interval();
  settings.log_interval = config.run().log_interval();
  settings.save_interval = config.run().save_interval();
  return settings;
}

}  // namespace dray
