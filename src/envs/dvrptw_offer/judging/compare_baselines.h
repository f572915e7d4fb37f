#pragma once

#include "src/env/task.h"

namespace dray::dvrptw_offer {

// Returns the task's entry for evaluate --baselines.
Baselines OfferBaselines();

}  // namespace dray::dvrptw_offer
