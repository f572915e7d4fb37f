#include "src/loop/loop_settings.h"

namespace dray {

LoopSettings LoopSettingsOf(const Config& config, const RunPlan& plan) {
  LoopSettings settings;
  settings.shards = plan.actors();
  for (int i = 0; plan.shards_per_actor > 1 && i < plan.actors(); ++i) {
    settings.batches_per_shard.push_back(plan.FirstShard(i + 1) - plan.FirstShard(i));
  }
  settings.update_interval = config.ppo().update_interval();
  settings.max_policy_lag = config.ppo().max_policy_lag();
  settings.epoch_limit = plan.epochs;
  settings.episode_limit = plan.epochs > 0 ? 0 : config.train().episodes();
  settings.evaluation_interval = config.evaluation().interval();
  settings.log_interval = config.run().log_interval();
  settings.save_interval = config.run().save_interval();
  settings.has_goal = !config.train().early_stop().stat().empty();
  return settings;
}

}  // namespace dray
