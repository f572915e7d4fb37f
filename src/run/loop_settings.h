#pragma once

#include "src/config/config.pb.h"
#include "src/run/coordinator.h"
#include "src/run/plan.h"

namespace dray {

// How a run of this config goes round.
LoopSettings LoopSettingsOf(const Config& config, const RunPlan& plan);

}  // namespace dray
