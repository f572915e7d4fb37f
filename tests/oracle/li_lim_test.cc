#include <gtest/gtest.h>

#include "tests/oracle/benchmarks.h"

namespace dray {
namespace {

TEST(LiLim, IsWithinFourPercentAtTheListedVehicles) {
  const RuinRecreateOptions options = {.rounds = 1000, .searches = 3, .fewest_vehicles = true};
  const GapTable gaps = MeasureGaps(LiLimBenchmarks(), options);
  EXPECT_GE(gaps.count, 40);
  EXPECT_LE(gaps.mean_gap, 4);
  EXPECT_LE(gaps.more_vehicles, 2);
}

}  // namespace
}  // namespace dray
