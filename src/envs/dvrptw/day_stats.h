#pragma once

#include <string>
#include <vector>

#include "src/envs/dvrptw/day.h"

namespace dray::dvrptw {

// Names and values of a day's statistics. A day with a shadow also has those that compare with no
// shifts.
std::vector<std::string> DayStatNames(bool with_shadow);
std::vector<double> DayStats(const Day& day);

}  // namespace dray::dvrptw
