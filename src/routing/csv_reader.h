#pragma once

#include "src/routing/instance.h"

namespace dray {

// Parses Dray's own format: a first line with the columns id,x,y,demand,opens,closes,service and,
// for pickups with deliveries, delivery_of: the id of the pickup that a row delivers, empty or 0
// for none. Distances are straight lines between x, y, in the unit of the times: a distance of 1
// takes a time of 1. With lat and lon (degrees) instead of x and y, vehicles travel along great
// circles at options.speed_kmh and times are minutes. With options.travel, travel times are the
// minutes in that file, one line for each row here, and the coordinates may be missing. Times may
// be written HH:MM. Ids are whole numbers; the first row is the depot. A delivery's demand is its
// pickup's, negated.
Instance ParseCsv(const TextFile& file, const ReadOptions& options);

}  // namespace dray
