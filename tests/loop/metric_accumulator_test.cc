#include "src/loop/metric_accumulator.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

Report Taken(MetricAccumulator& metrics) {
  Report report;
  metrics.TakeInto(report);
  return report;
}

Report Rollout(double calls, double share) {
  Report rollout;
  rollout.Record("rollout/stat/calls", calls);
  rollout.Record("rollout/stat/share", share);
  return rollout;
}

TEST(MetricAccumulator, SumsAndMeansAreOverAllRolloutsSinceTheLastReport) {
  MetricAccumulator metrics(
      {{"calls", RolloutStat::Over::kSum}, {"share", RolloutStat::Over::kMean}});
  EXPECT_TRUE(Taken(metrics).values.empty());
  for (int times = 0; times < 2; ++times) {
    metrics.Add(Rollout(10, 0.25));
    metrics.Add(Rollout(30, 0.75));
    const Report report = Taken(metrics);
    EXPECT_EQ(report.Get("rollout/stat/calls"), 40);
    EXPECT_EQ(report.Get("rollout/stat/share"), 0.5);
  }
}

TEST(MetricAccumulator, TheTableSaysHowValuesOfAMetricBecomeOne) {
  MetricAccumulator metrics({});
  for (const double value : {4, 1, 3}) {
    metrics.Add("time/oracle_s", value);
    metrics.Add("time/weights_latency_ms", value);
    metrics.Add("memory/oracle_splits", value);
  }
  const Report first = Taken(metrics);
  EXPECT_EQ(first.Get("time/oracle_s"), 8);
  EXPECT_EQ(first.Get("time/weights_latency_ms"), 3);
  EXPECT_EQ(first.Get("memory/oracle_splits"), 8);
}

TEST(MetricAccumulator, ATotalGoesOnAndASumBeginsAnew) {
  MetricAccumulator metrics({});
  metrics.Add("time/oracle_s", 5);
  metrics.Add("memory/oracle_splits", 5);
  Taken(metrics);
  const Report nothing_new = Taken(metrics);
  EXPECT_FALSE(nothing_new.Has("time/oracle_s"));
  EXPECT_EQ(nothing_new.Get("memory/oracle_splits"), 5);
  metrics.Add("time/oracle_s", 2);
  metrics.Add("memory/oracle_splits", 2);
  const Report second = Taken(metrics);
  EXPECT_EQ(second.Get("time/oracle_s"), 2);
  EXPECT_EQ(second.Get("memory/oracle_splits"), 7);
}

}  // namespace
}  // namespace dray
