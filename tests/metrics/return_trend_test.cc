#include "src/metrics/return_trend.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dray {
namespace {

Report Returning(double mean, double std = 10) {
  Report report;
  report.Record("episode/return_mean", mean);
  report.Record("episode/return_std", std);
  report.Record("completed_episodes", 1000);
  return report;
}

TEST(ReturnTrend, IsUpDownOrLevelAgainstTheReportsBefore) {
  ReturnTrend trend;
  EXPECT_EQ(trend.arrow(), "");
  trend.Add(Returning(100));
  EXPECT_EQ(trend.arrow(), "");
  trend.Add(Returning(100.9));  // the standard error is 1
  EXPECT_EQ(trend.arrow(), "→");
  trend.Add(Returning(102));
  EXPECT_EQ(trend.arrow(), "↑");
  trend.Add(Returning(90));
  EXPECT_EQ(trend.arrow(), "↓");
}

TEST(ReturnTrend, ForgetsReportsOlderThanFive) {
  ReturnTrend trend;
  trend.Add(Returning(-1000));
  for (int i = 0; i < 6; ++i) trend.Add(Returning(50));
  EXPECT_EQ(trend.arrow(), "→");
}

TEST(ReturnTrend, KnowsTheBestOfEachKindAndSkipsWhatIsNotKnown) {
  ReturnTrend trend;
  EXPECT_TRUE(std::isnan(trend.best_return()));
  trend.Add(Returning(5));
  trend.Add(Returning(3));
  trend.Add(Returning(std::nan("")));
  EXPECT_EQ(trend.best_return(), 5);
  EXPECT_TRUE(std::isnan(trend.best_evaluation()));
  Report evaluated;
  evaluated.Record("eval/return_mean", -7);
  trend.Add(evaluated);
  EXPECT_EQ(trend.best_evaluation(), -7);
}

}  // namespace
}  // namespace dray
