#pragma once

#include "src/routing/instance.h"

namespace dray {

// Our own format: a first line with the columns id,x,y,demand,opens,closes,service and, for pickups
// with deliveries, delivery_of: the id of the pickup that a row delivers, empty or 0 for none.
// Distances are straight lines between x, y, in the unit of the times: a distance of 1 takes a time
// of
// 1. Degrees of longitude and latitude are no such unit.
// Ids are whole numbers, the first row is the depot. A delivery's demand is its pickup's, negative.
Instance ParseCsv(const TextFile& file);

}  // namespace dray
