#include "src/routing/pictures/place_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "src/base/rng.h"

namespace dray {
namespace {

TravelMatrix Between(const std::vector<Point>& points) {
  std::vector<Ticks> times;
  for (const Point& from : points) {
    for (const Point& to : points)
      times.push_back(static_cast<Ticks>(std::lround(Distance(from, to))));
  }
  return {static_cast<int>(points.size()), std::move(times)};
}

std::vector<int> All(const TravelMatrix& travel) {
  std::vector<int> places(travel.places());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

TEST(PlaceLayout, DistancesOfAMapAreFoundAgain) {
  Rng rng(1, RngPurpose::kTest, 0);
  std::vector<Point> points(60);
  for (Point& point : points) point = {rng.Uniform(0, 10000), rng.Uniform(0, 6000)};
  const TravelMatrix travel = Between(points);
  const std::vector<Point> layout = LayOutPlaces(travel, All(travel));
  for (size_t i = 0; i < points.size(); ++i) {
    for (size_t j = 0; j < points.size(); ++j)
      EXPECT_NEAR(Distance(layout[i], layout[j]), Distance(points[i], points[j]), 5);
  }
}

TEST(PlaceLayout, OnlyTheNamedPlacesCount) {
  const TravelMatrix travel = Between({{0, 0}, {5000, 9000}, {300, 0}, {300, 400}});
  const std::vector<Point> layout = LayOutPlaces(travel, {0, 2, 3});
  ASSERT_EQ(layout.size(), 3u);
  EXPECT_NEAR(Distance(layout[0], layout[1]), 300, 1);
  EXPECT_NEAR(Distance(layout[0], layout[2]), 500, 1);
}

TEST(PlaceLayout, AStreetStaysALine) {
  const TravelMatrix travel = Between({{0, 0}, {100, 0}, {250, 0}});
  const std::vector<Point> layout = LayOutPlaces(travel, All(travel));
  EXPECT_NEAR(Distance(layout[0], layout[2]), 250, 1e-3);
  for (const Point& point : layout) EXPECT_NEAR(point.y, 0, 1e-3);
}

TEST(PlaceLayout, TimesThatNoMapHasGiveFinitePoints) {
  Rng rng(2, RngPurpose::kTest, 0);
  for (int places = 0; places < 12; ++places) {
    std::vector<Ticks> times(static_cast<size_t>(places) * places);
    for (Ticks& time : times) time = static_cast<Ticks>(rng.Below(kMaxTicks));
    const TravelMatrix travel(places, times);
    const std::vector<Point> points = LayOutPlaces(travel, All(travel));
    ASSERT_EQ(std::ssize(points), places);
    for (const Point& point : points) {
      EXPECT_TRUE(std::isfinite(point.x));
      EXPECT_TRUE(std::isfinite(point.y));
    }
    // All in one place, too.
    const TravelMatrix nowhere(places, std::vector<Ticks>(times.size(), 0));
    for (const Point& point : LayOutPlaces(nowhere, All(nowhere)))
      EXPECT_EQ(Distance(point, {}), 0);
  }
}

}  // namespace
}  // namespace dray
