#pragma once

#include "src/loop/checkpoint.h"
#include "src/loop/coordinator.h"
#include "src/loop/run_plan.h"

namespace dray {

// That what the loop had counted agrees with itself, with the checkpoint's other parts and with the
// run's settings; an Error that says what does not. A run that went on from other counters might
// never end.
void CheckCounters(const LoopCounters& counters, const Checkpoint& checkpoint, int update_interval,
                   const RunPlan& plan);

}  // namespace dray
