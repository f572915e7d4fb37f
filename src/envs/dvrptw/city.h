#pragma once

#include <cstdint>
#include <vector>

#include "src/routing/problem.h"
#include "src/routing/travel_minutes.h"

namespace dray {

inline constexpr Ticks kTicksPerDay = 24 * 60 * kTicksPerMinute;

// Where riders live and how long it takes from place to place. Times obey the triangle inequality.
struct City {
  std::vector<Point> points;  // within the unit square
  TravelMatrix travel;
  int depot = 0;
};

// Places uniform in the unit square, the depot nearest its middle, travel of 1.5 min plus 36 min
// per unit of distance. `asymmetric` scales every direction by its own factor from 0.9 to 1.1.
City GenerateCity(uint64_t seed, int places, bool asymmetric);

}  // namespace dray
