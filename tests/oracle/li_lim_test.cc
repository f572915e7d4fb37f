#include <gtest/gtest.h>

#include "tests/oracle/benchmarks.h"

namespace dray {
namespace {

constexpr RuinRecreateOptions kFewestVehiclesBestOfThree = {
    .rounds = 1000, .searches = 3, .fewest_vehicles = true};

TEST(LiLim, IsWithinFourPercentAtTheListedVehicles) {
  const GapTable gaps = MeasureGaps(LiLimBenchmarks(Rounding::kExact), kFewestVehiclesBestOfThree);
  EXPECT_GE(gaps.count, 40);
  EXPECT_LE(gaps.mean_gap, 4);
  EXPECT_LE(gaps.more_vehicles, 2);
}

// A plan of two or three long routes that has the fewest vehicles but the wrong requests together
// is one that annealing cannot leave.
TEST(LiLim, LongHorizonsEndAtTheBestKnownHoweverDistancesAreRounded) {
  for (const Rounding rounding : {Rounding::kTrunc01, Rounding::kExact}) {
    std::vector<Benchmark> benchmarks = LiLimBenchmarks(rounding);
    std::erase_if(benchmarks, [](const Benchmark& one) { return one.problem.name[2] != '2'; });
    const GapTable gaps = MeasureGaps(benchmarks, kFewestVehiclesBestOfThree);
    EXPECT_GE(gaps.count, 19);
    EXPECT_EQ(gaps.more_vehicles, 0);
    EXPECT_LE(gaps.worst_gap, 1);
  }
}

// Nine vehicles for ten clusters: single searches end up to 26 % above the best known, and one in
// two more than 3 %.
TEST(LiLim, TightFleetsEndNearTheBestKnownWithEverySeed) {
  for (const Rounding rounding : {Rounding::kTrunc01, Rounding::kExact}) {
    const auto benchmarks = Named(LiLimBenchmarks(rounding), {"lc103", "lc104", "lc109"});
    for (uint64_t seed = 0; seed < 3; ++seed) {
      RuinRecreateOptions options = kFewestVehiclesBestOfThree;
      options.seed = seed;
      const GapTable gaps = MeasureGaps(benchmarks, options);
      EXPECT_EQ(gaps.count, 3);
      EXPECT_EQ(gaps.more_vehicles, 0);
      EXPECT_LE(gaps.worst_gap, 3);
    }
  }
}

}  // namespace
}  // namespace dray
