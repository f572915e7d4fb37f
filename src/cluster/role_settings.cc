#include "src/cluster/role_settings.h"

#include <numeric>

namespace dray {

RoleSettings SettingsOf(const Config& config, const RunPlan& plan) {
  RoleSettings settings;
  *settings.mutable_config() = config;
  settings.set_oracle_callers(plan.actors());
  settings.set_shards_per_actor(plan.shards_per_actor);
  return settings;
}

RoleSettings ShardSettingsOf(const Config& config, const RunPlan& plan, size_t actor,
                             int replacement) {
  RoleSettings settings = SettingsOf(config, plan);
  const auto sizes = plan.shard_sizes.begin();
  const int first = plan.FirstShard(actor), end = plan.FirstShard(actor + 1);
  settings.set_shard(first);
  settings.set_shards(end - first);
  settings.set_first_env(std::accumulate(sizes, sizes + first, 0));
  settings.set_envs(std::accumulate(sizes + first, sizes + end, 0));
  settings.set_rollout_steps(plan.rollout_steps);
  settings.set_replacement(replacement);
  return settings;
}

std::string CallHeaderBytes(int64_t call, double progress, double remaining) {
  CallHeader header;
  header.set_call(call);
  header.set_progress(progress);
  header.set_remaining(remaining);
  return header.SerializeAsString();
}

}  // namespace dray
