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

}  // namespace
}  // namespace dray
