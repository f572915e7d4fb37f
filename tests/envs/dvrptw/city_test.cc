#include "src/envs/dvrptw/city.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dray::dvrptw {
namespace {

int64_t BrokenTriangles(const TravelMatrix& travel) {
  int64_t broken = 0;
  for (int i = 0; i < travel.places(); ++i) {
    for (int j = 0; j < travel.places(); ++j) {
      for (int k = 0; k < travel.places(); ++k) {
        broken += travel(i, k) + travel(k, j) < travel(i, j);
      }
    }
  }
  return broken;
}

TEST(City, TimesFollowDistances) {
  const City city = GenerateCity(/*seed=*/1, /*places=*/207, /*asymmetric=*/false);
  ASSERT_EQ(city.travel.places(), 207);
  ASSERT_EQ(city.points.size(), 207u);
  for (int i = 0; i < 207; ++i) {
    EXPECT_EQ(city.travel(i, i), 0);
    for (int j = 0; j < i; ++j) {
      const Point &a = city.points[i], &b = city.points[j];
      const double minutes = 1.5 + 36 * std::hypot(a.x - b.x, a.y - b.y);
      ASSERT_NEAR(city.travel(i, j), 10 * minutes, 0.51);
      ASSERT_EQ(city.travel(i, j), city.travel(j, i));
    }
  }
}

TEST(City, NoWayRoundIsQuicker) {
  for (const bool asymmetric : {false, true}) {
    for (const uint64_t seed : {1, 2, 3}) {
      EXPECT_EQ(BrokenTriangles(GenerateCity(seed, 207, asymmetric).travel), 0);
    }
  }
}

TEST(City, AsymmetricTimesDifferByDirectionWithinTheirRange) {
  const City plain = GenerateCity(5, 100, /*asymmetric=*/false);
  const City city = GenerateCity(5, 100, /*asymmetric=*/true);
  int different = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(city.travel(i, i), 0);
    for (int j = 0; j < 100; ++j) {
      different += city.travel(i, j) != city.travel(j, i);
      EXPECT_LE(city.travel(i, j), 1.1 * plain.travel(i, j) + 1);
      EXPECT_GE(city.travel(i, j), 0.9 * plain.travel(i, j) - 1);
    }
  }
  EXPECT_GT(different, 9000);
}

TEST(City, TheDepotIsNearestTheMiddle) {
  const City city = GenerateCity(7, 207, false);
  const auto from_middle = [](const Point& p) { return std::hypot(p.x - 0.5, p.y - 0.5); };
  ASSERT_EQ(city.points.size(), 207u);
  for (const Point& point : city.points) {
    EXPECT_LE(from_middle(city.points[city.depot]), from_middle(point));
  }
}

TEST(City, OneSeedIsOneCity) {
  const City a = GenerateCity(3, 50, true), b = GenerateCity(3, 50, true);
  const City other = GenerateCity(4, 50, true);
  int different = 0;
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 50; ++j) {
      ASSERT_EQ(a.travel(i, j), b.travel(i, j));
      different += a.travel(i, j) != other.travel(i, j);
    }
  }
  EXPECT_GT(different, 2000);
}

}  // namespace
}  // namespace dray::dvrptw
