#pragma once

#include "src/config/config.pb.h"
#include "src/loop/coordinator.h"
#include "src/loop/run_plan.h"

namespace dray {

// How a run of this config goes round.
LoopSettings LoopSettingsOf(const Config& config, const RunPlan& plan);

}  // namespace dray
