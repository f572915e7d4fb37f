#pragma once

#include <string>
#include <vector>

#include "src/envs/dvrptw/day.h"

namespace dray {

// A day's numbers for reports, and what they are called.
const std::vector<std::string>& DayStatNames();
std::vector<double> DayStats(const DeliveryDay& day);

}  // namespace dray
