#pragma once

#include <span>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// A point on the globe, in degrees: north and east are positive.
struct LatLon {
  double lat = 0;
  double lon = 0;
};

inline constexpr double kEarthRadius_km = 6371.0088;  // the mean one

// What a vehicle makes good along the great circle, detours and lights included, where nobody says.
inline constexpr double kUsualSpeed_kmh = 30;

// Distances between given points along great circles. A pair takes one arcsine.
class GreatCircles {
 public:
  explicit GreatCircles(std::span<const LatLon> points);

  double Km(size_t from, size_t to) const;

 private:
  struct Direction {
    double x;
    double y;
    double z;
  };
  std::vector<Direction> directions_;  // from the centre, of length 1
};

// The points on a flat map: kilometres east and north of the first. True near it.
std::vector<Point> FlatMap(std::span<const LatLon> points);

}  // namespace dray
