#pragma once

#include "src/routing/instance.h"

namespace dray {

// Parses Li and Lim's pickup and delivery format: a line with vehicles, capacity and speed, then
// nine columns per place. The last two name the pickup of a delivery and the delivery of a pickup.
// The first place is the depot.
Instance ParseLiLim(const TextFile& file);

}  // namespace dray
