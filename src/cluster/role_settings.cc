#include "src/cluster/role_settings.h"

#include <numeric>

namespace dray {

RoleSettings SettingsOf(const Config& config, const RunPlan& plan) {
  RoleSettings settings;
  *settings.mutable_config() = config;
  settings.set_oracle_callers(plan.shard_sizes.size());
  return settings;
}

RoleSettings ShardSettingsOf(const Config& config, const RunPlan& plan, size_t shard,
                             int replacement) {
  RoleSettings settings = SettingsOf(config, plan);
  const auto sizes = plan.shard_sizes.begin();
  const ptrdiff_t before = shard;
  settings.set_shard(shard);
  settings.set_first_env(std::accumulate(sizes, sizes + before, 0));
  settings.set_envs(sizes[before]);
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
