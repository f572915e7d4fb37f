#pragma once

#include "src/envs/dvrptw/world.h"

namespace dray {

// Minutes of travel that one vehicle for two trips saves over one for each, within their windows; 0
// when no vehicle can serve both.
double PairSaving(const DeliveryWorld& world, const Trip& a, const Trip& b);

}  // namespace dray
