#pragma once

#include <string>

#include "src/envs/waves/day.h"

namespace dray::waves {

// Draws a day that is over as an SVG document: for each request when it arrived, how long it
// waited, with which wave it left, and when it was served within its window. A row per request,
// those of a route below each other.
std::string DayPicture(const Day& day, const std::string& title);

// Draws the routes of all waves on a map.
std::string DayMap(const Day& day, const std::string& title);

}  // namespace dray::waves
