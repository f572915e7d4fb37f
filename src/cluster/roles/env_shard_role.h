#pragma once

#include "src/cluster/roles/call_summaries.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/rollout/env_shard.h"

namespace dray {

// collect(header, weights, side_model) -> batch; summary(call) -> RolloutSummary
class EnvShardRole : public DispatchedRole {
 public:
  explicit EnvShardRole(const RoleSettings& settings);

 private:
  EnvShard shard_;
  CallSummaries summaries_;
};

}  // namespace dray
