#pragma once

#include <cstddef>

#include "src/config/config.pb.h"
#include "src/roles/messages.pb.h"
#include "src/run/plan.h"

namespace dray {

// What a role of this run is told; enough for all but shards.
RoleSettings SettingsOf(const Config& config, const RunPlan& plan);

// `replacement` as in ShardPlace.
RoleSettings ShardSettingsOf(const Config& config, const RunPlan& plan, size_t shard,
                             int replacement);

}  // namespace dray
