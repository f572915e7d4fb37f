#include "src/routing/great_circle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace dray {
namespace {

double Km(LatLon from, LatLon to) {
  const std::vector<LatLon> both = {from, to};
  return GreatCircles(both).Km(0, 1);
}

constexpr LatLon kBerlin = {52.5200, 13.4050}, kParis = {48.8566, 2.3522};
constexpr LatLon kLondon = {51.5074, -0.1278}, kNewYork = {40.7128, -74.0060};
constexpr LatLon kSydney = {-33.8688, 151.2093}, kTokyo = {35.6762, 139.6503};

TEST(GreatCircle, DistancesBetweenCitiesAreAsPublished) {
  EXPECT_NEAR(Km(kBerlin, kParis), 877.46, 0.1);
  EXPECT_NEAR(Km(kLondon, kNewYork), 5570.2, 0.5);
  EXPECT_NEAR(Km(kSydney, kTokyo), 7823, 5);
}

TEST(GreatCircle, PartsOfACircleHaveTheirLength) {
  const double around = 2 * std::numbers::pi * kEarthRadius_km;
  EXPECT_NEAR(Km({0, 0}, {0, 1}), around / 360, 1e-6);
  EXPECT_NEAR(Km({10, 20}, {11, 20}), around / 360, 1e-6);
  EXPECT_NEAR(Km({0, -90}, {0, 90}), around / 2, 1e-3);
  EXPECT_NEAR(Km({90, 0}, {-90, 77}), around / 2, 1e-3);
  // A circle of latitude is half as long at 60 degrees, and nearly straight over a short way.
  EXPECT_NEAR(Km({60, 0}, {60, 0.001}), around / 360'000 / 2, 1e-9);
  EXPECT_NEAR(Km({0, 179.5}, {0, -179.5}), around / 360, 1e-6);
}

TEST(GreatCircle, AMeterIsTold) {
  const double meter_degrees = 360 / (2 * std::numbers::pi * kEarthRadius_km * 1000);
  EXPECT_NEAR(Km({52.52, 13.405}, {52.52 + meter_degrees, 13.405}), 0.001, 1e-9);
  EXPECT_EQ(Km(kBerlin, kBerlin), 0);
}

TEST(GreatCircle, TheFlatMapIsTrueNearItsFirstPoint) {
  const std::vector<LatLon> places = {kBerlin, {52.5640, 13.3920}, {52.5130, 13.4760}};
  const std::vector<Point> map = FlatMap(places);
  EXPECT_EQ(map[0].x, 0);
  EXPECT_EQ(map[0].y, 0);
  EXPECT_GT(map[1].y, 0);
  EXPECT_GT(map[2].x, 0);
  const GreatCircles ways(places);
  for (size_t i = 1; i < places.size(); ++i) {
    EXPECT_NEAR(std::hypot(map[i].x, map[i].y), ways.Km(0, i), 0.01 * ways.Km(0, i));
  }
  const std::vector<LatLon> across = {{0, 179.9}, {0, -179.9}};
  EXPECT_NEAR(FlatMap(across)[1].x, Km(across[0], across[1]), 1e-6);
}

}  // namespace
}  // namespace dray
