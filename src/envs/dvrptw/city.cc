#include "src/envs/dvrptw/city.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/envs/dvrptw/random_streams.h"

namespace dray::dvrptw {
namespace {

constexpr double kStart_min = 1.5;
constexpr double kPerUnit_min = 36;

int Nearest(const std::vector<Point>& points, const Point& target) {
  const auto nearest = std::ranges::min_element(
      points, {}, [&target](const Point& point) { return Distance(point, target); });
  return nearest - points.begin();
}

}  // namespace

City GenerateCity(uint64_t seed, int places, bool asymmetric) {
  DRAY_CHECK_GE(places, 1);
  Rng rng(seed, kCityStream, 0);
  City city;
  city.points.resize(places);
  for (Point& point : city.points) {
    point.x = rng.Uniform();
    point.y = rng.Uniform();
  }
  city.depot = Nearest(city.points, {.x = 0.5, .y = 0.5});

  std::vector<Ticks> times;
  times.reserve(city.points.size() * city.points.size());
  for (const Point& from : city.points) {
    for (const Point& to : city.points) {
      double minutes = &from == &to ? 0 : kStart_min + kPerUnit_min * Distance(from, to);
      if (asymmetric) minutes *= rng.Uniform(0.9, 1.1);
      times.push_back(std::lround(minutes * kTicksPerMinute));
    }
  }
  // Without the factors, the 1.5 min of every leg keep the inequality despite the rounding.
  if (asymmetric) CloseTriangles(places, &times);
  city.travel = TravelMatrix(places, std::move(times));
  return city;
}

}  // namespace dray::dvrptw
