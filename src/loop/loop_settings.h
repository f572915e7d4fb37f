#pragma once

#include "src/config/config.pb.h"
#include "src/loop/coordinator.h"
#include "src/loop/run_plan.h"

namespace dray {

// Returns the settings of the loop for a run of this config.
LoopSettings LoopSettingsOf(const Config& config, const RunPlan& plan);

}  // namespace dray
