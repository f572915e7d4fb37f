#include "src/loop/rollout_stats.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

TEST(RolloutStats, SumsAndMeansAreOverAllRolloutsSinceTheLastReport) {
  RolloutStats stats({{"calls", RolloutStat::Over::kSum}, {"share", RolloutStat::Over::kMean}});
  Report nothing;
  stats.TakeInto(nothing);
  EXPECT_TRUE(nothing.values.empty());
  for (int times = 0; times < 2; ++times) {
    stats.Add(std::vector<double>{10, 0.25});
    stats.Add(std::vector<double>{30, 0.75});
    Report report;
    stats.TakeInto(report);
    EXPECT_EQ(report.Get("rollout/stat/calls"), 40);
    EXPECT_EQ(report.Get("rollout/stat/share"), 0.5);
  }
}

}  // namespace
}  // namespace dray
