#pragma once

#include "src/env/task.h"

namespace dray::tasks {

// Deliveries with time windows, in the mode that the config asks for.
Task dvrptw();

}  // namespace dray::tasks
