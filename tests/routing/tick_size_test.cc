#include "src/routing/tick_size.h"

#include <gtest/gtest.h>

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

TEST(TickSize, OneSinglePlaceNeedsNoFinerTicks) { EXPECT_EQ(FittingTicksPerUnit(0, 100), 1000); }

}  // namespace
}  // namespace dray
