#pragma once

#include "src/env/task.h"

namespace dray {

// What the delivery task offers to be compared with, in its mode negotiate.
Baselines DeliveryBaselines();

}  // namespace dray
