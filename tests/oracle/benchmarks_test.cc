#include "tests/oracle/benchmarks.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

constexpr RuinRecreateOptions kThousandRoundsBestOfThree = {.rounds = 1000, .searches = 3};

TEST(Solomon, With25CustomersIsSolvedNearlyToTheBestKnown) {
  const GapTable gaps = MeasureGaps(SolomonBenchmarks("25"), kThousandRoundsBestOfThree);
  EXPECT_GE(gaps.count, 40);
  EXPECT_GE(gaps.within_half, 0.95 * gaps.count);
}

TEST(Solomon, With50CustomersIsWithinOneAndAHalfPercent) {
  const GapTable gaps = MeasureGaps(SolomonBenchmarks("50"), kThousandRoundsBestOfThree);
  EXPECT_GE(gaps.count, 40);
  EXPECT_LE(gaps.mean_gap, 1.5);
}

// Files for which a search with the ruins of one for little travel ends with a vehicle more.
TEST(Solomon, With100CustomersTakesTheListedVehicles) {
  const auto benchmarks = Named(SolomonVehicleBenchmarks(), {"R107", "R109"});
  const GapTable gaps =
      MeasureGaps(benchmarks, {.rounds = 4000, .searches = 3, .fewest_vehicles = true});
  EXPECT_EQ(gaps.count, 2);
  EXPECT_EQ(gaps.more_vehicles, 0);
  EXPECT_LE(gaps.worst_gap, 3);
}

}  // namespace
}  // namespace dray
