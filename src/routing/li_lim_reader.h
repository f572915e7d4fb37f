#pragma once

#include "src/routing/instance.h"

namespace dray {

// Li and Lim's pickups and deliveries: a line of vehicles, capacity and speed, then nine columns
// per place, the last two naming the pickup of a delivery and the delivery of a pickup. The first
// place is the depot.
Instance ParseLiLim(const TextFile& file);

}  // namespace dray
