#pragma once

#include "src/env/task.h"

namespace dray {

// What the delivery task offers to be compared with, in either of its modes.
Baselines DeliveryBaselines();

}  // namespace dray
