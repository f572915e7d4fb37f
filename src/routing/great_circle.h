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

inline constexpr double kEarthRadius_km = 6371.0088;  // mean radius

// Default speed along the great circle, allowing for detours and traffic lights.
inline constexpr double kUsualSpeed_kmh = 30;

// Computes great-circle distances between given points, with one arcsine per pair.
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
  std::vector<Direction> directions_;  // unit vectors from the centre
};

// Projects points on a flat map: kilometres east and north of the first point. Accurate near it.
std::vector<Point> FlatMap(std::span<const LatLon> points);

}  // namespace dray
