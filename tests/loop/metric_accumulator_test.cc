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

TEST(MetricAccumulator, AQuotientIsOfTheSumsOfAllRollouts) {
  MetricAccumulator metrics({{"calls", RolloutStat::Over::kSum},
                             {"share", RolloutStat::Over::kSum},
                             {"share_of_a_call", RolloutStat::Over::kQuotient, "share", "calls"}});
  const auto rollout = [](double calls, double share) {
    Report report = Rollout(calls, share);
    report.Record("rollout/stat/share_of_a_call", calls > 0 ? share / calls : 0);
    return report;
  };
  EXPECT_TRUE(Taken(metrics).values.empty());
  metrics.Add(rollout(30, 60));
  metrics.Add(rollout(0, 0));  // whose calls were counted with the other's
  EXPECT_EQ(Taken(metrics).Get("rollout/stat/share_of_a_call"), 2);
  metrics.Add(rollout(0, 0));
  EXPECT_EQ(Taken(metrics).Get("rollout/stat/share_of_a_call"), 0);
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
