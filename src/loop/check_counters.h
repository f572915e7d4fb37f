#pragma once

#include "src/loop/checkpoint.h"
#include "src/loop/coordinator.h"
#include "src/loop/run_plan.h"

namespace dray {

// Checks that the loop's counters agree with each other, with the rest of the checkpoint and with
// the run's settings; an Error says what does not. A run resumed with wrong counters might never
// end.
void CheckCounters(const LoopCounters& counters, const Checkpoint& checkpoint, int update_interval,
                   const RunPlan& plan);

}  // namespace dray
