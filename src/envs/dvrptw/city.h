#pragma once

#include <cstdint>
#include <vector>

#include "src/routing/problem.h"
#include "src/routing/travel_minutes.h"

namespace dray::dvrptw {

inline constexpr Ticks kTicksPerDay = 24 * 60 * kTicksPerMinute;

// Places and the travel times between them, which obey the triangle inequality.
struct City {
  std::vector<Point> points;  // coordinates in the unit square
  TravelMatrix travel;
  int depot = 0;
};

// Generates a city: places are uniform in the unit square, the depot is nearest its middle, and
// travel takes 1.5 min plus 36 min per unit of distance. `asymmetric` scales every direction by its
// own factor from 0.9 to 1.1.
City GenerateCity(uint64_t seed, int places, bool asymmetric);

}  // namespace dray::dvrptw
