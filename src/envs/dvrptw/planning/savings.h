#pragma once

#include "src/envs/dvrptw/world.h"

namespace dray::dvrptw {

// Returns the minutes of travel saved by one vehicle for two trips instead of one for each, or 0 if
// no vehicle can serve both within their windows.
double PairSaving(const World& world, const Trip& a, const Trip& b);

}  // namespace dray::dvrptw
