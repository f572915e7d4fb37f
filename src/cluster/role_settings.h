#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "src/cluster/roles/messages.pb.h"
#include "src/config/config.pb.h"
#include "src/loop/run_plan.h"

namespace dray {

// Returns the settings of a role of this run, complete for all roles but shards.
RoleSettings SettingsOf(const Config& config, const RunPlan& plan);

// Returns the settings of an actor that hosts shards; `replacement` as in ShardPlace.
RoleSettings ShardSettingsOf(const Config& config, const RunPlan& plan, size_t actor,
                             int replacement);

// Returns the first argument of collect and update, a CallHeader.
std::string CallHeaderBytes(int64_t call, double progress, double remaining);

}  // namespace dray
