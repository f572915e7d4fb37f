#include "src/output/return_trend.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dray {
namespace {

Report Returning(double mean, double episodes = 100) {
  Report report;
  report.Record("episode/return_mean", mean);
  report.Record("episode/return_std", 10);
  report.Record("completed_episodes", episodes);
  return report;
}

TEST(ReturnTrend, IsUpDownOrLevelAgainstTheHundredEpisodesBefore) {
  ReturnTrend trend;
  EXPECT_EQ(trend.arrow(), "");
  trend.Add(Returning(100, 100));
  EXPECT_EQ(trend.arrow(), "");
  trend.Add(Returning(101.3, 200));  // the standard error of the difference is 1.41
  EXPECT_EQ(trend.arrow(), "→");
  trend.Add(Returning(103, 300));
  EXPECT_EQ(trend.arrow(), "↑");
  trend.Add(Returning(101, 400));
  EXPECT_EQ(trend.arrow(), "↓");
}

TEST(ReturnTrend, EpisodesThatBothMeansContainAreNotCompared) {
  ReturnTrend trend;
  trend.Add(Returning(-500, 50));  // of fewer episodes
  trend.Add(Returning(0, 120));
  for (int i = 1; i < 10; ++i) {
    trend.Add(Returning(i, 120 + 10 * i));
    EXPECT_EQ(trend.arrow(), "") << i;
  }
  trend.Add(Returning(10, 220));  // the reports between differ from it by 1 each
  EXPECT_EQ(trend.arrow(), "↑");
  for (int i = 1; i < 10; ++i) trend.Add(Returning(10, 220 + 10 * i));
  EXPECT_EQ(trend.arrow(), "→");  // against 9, of episodes up to 210
}

TEST(ReturnTrend, EvaluationsAndReportsWithoutEpisodesDoNotCount) {
  ReturnTrend trend;
  trend.Add(Returning(100, 100));
  trend.Add(Returning(101, 200));
  Report evaluated;
  evaluated.Record("eval/return_mean", 1000);
  trend.Add(evaluated);
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
