#pragma once

#include <string_view>

#include "src/rollout/env_shard.h"
#include "src/roles/call_summaries.h"
#include "src/roles/dispatch.h"
#include "src/roles/messages.pb.h"

namespace dray {

// collect(orders, weights, learned) -> batch; summary(call) -> RolloutSummary
class EnvShardRole : public DispatchedRole {
 public:
  explicit EnvShardRole(const RoleSettings& settings);

 private:
  EnvShard shard_;
  CallSummaries summaries_;
};

}  // namespace dray
