#include "src/routing/great_circle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dray {
namespace {

double Radians(double degrees) { return degrees * (std::numbers::pi / 180); }

}  // namespace

GreatCircles::GreatCircles(std::span<const LatLon> points) {
  for (const LatLon& point : points) {
    const double lat = Radians(point.lat), lon = Radians(point.lon);
    directions_.push_back(
        {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)});
  }
}

double GreatCircles::Km(size_t from, size_t to) const {
  const Direction &a = directions_[from], &b = directions_[to];
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  const double half_chord = std::sqrt(x * x + y * y + z * z) / 2;
  return 2 * kEarthRadius_km * std::asin(std::min(half_chord, 1.0));
}

std::vector<Point> FlatMap(std::span<const LatLon> points) {
  std::vector<Point> map;
  for (const LatLon& point : points) {
    const LatLon& first = points.front();
    // The shorter way around, in case the date line lies between them.
    const double east = std::remainder(point.lon - first.lon, 360);
    map.push_back({kEarthRadius_km * Radians(east) * std::cos(Radians(first.lat)),
                   kEarthRadius_km * Radians(point.lat - first.lat)});
  }
  return map;
}

}  // namespace dray
