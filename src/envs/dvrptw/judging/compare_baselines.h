#pragma once

#include "src/env/task.h"

namespace dray::dvrptw {

// Returns the task's entry for evaluate --baselines.
Baselines ShiftBaselines();

}  // namespace dray::dvrptw
