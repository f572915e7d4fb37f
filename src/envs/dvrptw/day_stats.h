#pragma once

#include <string>
#include <vector>

#include "src/envs/dvrptw/day.h"

namespace dray {

// A day's numbers for reports, and what they are called. Those that compare with no shifts are
// there when the day has a shadow.
std::vector<std::string> DayStatNames(bool with_shadow);
std::vector<double> DayStats(const DeliveryDay& day);

}  // namespace dray
