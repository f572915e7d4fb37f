#include "src/routing/tick_size.h"

#include <gtest/gtest.h>

#include <vector>

namespace dray {
namespace {

TEST(TickSize, IsAThousandthWhereThatTellsDistancesApart) {
  EXPECT_EQ(FittingTicksPerUnit(100, 1440), 1000);
  EXPECT_EQ(FittingTicksPerUnit(10, 480), 1000);
}

TEST(TickSize, IsFinerForSmallDistancesAsFarAsTimesAllow) {
  EXPECT_EQ(FittingTicksPerUnit(0.2, 1440), 100'000);
  EXPECT_EQ(FittingTicksPerUnit(0.2, 86'400), 1000);
  EXPECT_EQ(FittingTicksPerUnit(1e-9, 1), 100'000'000);
}

TEST(TickSize, IsCoarserForLargeNumbers) {
  EXPECT_EQ(FittingTicksPerUnit(20'000, 999'999), 100);
  EXPECT_EQ(FittingTicksPerUnit(4e8, 4e8), 1);
  EXPECT_EQ(FittingTicksPerUnit(4e12, 4e12), 1);
}

std::optional<Vanished> Found(const std::vector<double>& distances,
                              const std::vector<Ticks>& rounded) {
  return FindVanished(distances, rounded);
}

TEST(TickSize, DistancesVanishWhenMostOfThemBecomeNothing) {
  const auto vanished = Found({0.04, 0.04, 0.03, 5, 7, 0, 0}, {0, 0, 0, 5, 7, 0, 0});
  ASSERT_TRUE(vanished.has_value());
  EXPECT_EQ(vanished->count, 3u);
  EXPECT_EQ(vanished->of, 5u);
  EXPECT_EQ(vanished->to, 0);
  EXPECT_FALSE(Found({0.04, 0.04, 5, 7}, {0, 0, 5, 7}).has_value());
  EXPECT_FALSE(Found({0, 0, 0, 7}, {0, 0, 0, 7}).has_value());
  EXPECT_FALSE(Found({}, {}).has_value());
}

TEST(TickSize, DistancesVanishWhenMostBecomeTheSameFewTicks) {
  EXPECT_TRUE(Found({1.1, 1.2, 1.3, 8}, {1, 1, 1, 8}).has_value());
  // The same as written.
  EXPECT_FALSE(Found({1, 1, 1, 8}, {1, 1, 1, 8}).has_value());
  // As good as the same.
  EXPECT_FALSE(Found({100.1, 100.2, 100.3}, {100, 100, 100}).has_value());
}

TEST(TickSize, OneSinglePlaceNeedsNoFinerTicks) { EXPECT_EQ(FittingTicksPerUnit(0, 100), 1000); }

}  // namespace
}  // namespace dray
