#include "src/env/evaluation_report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/base/error.h"
#include "src/base/json.h"

namespace dray {
namespace {

// `count` episodes, one half with return +1, the other with -1.
EvaluationReport Halves(int count) {
  EvaluationReport report;
  for (int i = 0; i < count; ++i) {
    Episode episode;
    episode.total_reward = i % 2 == 0 ? 1 : -1;
    episode.length = i;
    report.episodes.push_back(episode);
  }
  return report;
}

TEST(EvaluationReport, MeanAndSampleDeviationOfTwo) {
  const EvaluationReport report = Halves(2);
  EXPECT_EQ(report.mean_return(), 0);
  EXPECT_DOUBLE_EQ(RewardOf(report).std, std::sqrt(2.0));
  EXPECT_EQ(report.mean_length(), 0.5);
}

TEST(EvaluationReport, OneEpisodeHasNoSpreadAndNoInterval) {
  EXPECT_EQ(RewardOf(Halves(1)).std, 0);
  EXPECT_TRUE(std::isnan(RewardOf(Halves(1)).ci95));
}

TEST(EvaluationReport, TheIntervalIsStudents) {
  // From the tables of the 97.5 % quantile of t with n - 1 degrees of freedom.
  const std::pair<int, double> quantiles[] = {{2, 12.7062}, {4, 3.1824},   {6, 2.5706},
                                              {8, 2.3646},  {10, 2.2622},  {12, 2.2010},
                                              {20, 2.0930}, {1000, 1.9623}};
  for (const auto& [n, quantile] : quantiles) {
    // The squared distances sum to n: deviation / sqrt(n) is 1 / sqrt(n - 1).
    EXPECT_NEAR(RewardOf(Halves(n)).ci95 * std::sqrt(n - 1.0), quantile, 3e-4) << n;
  }
}

TEST(Spread, IsOfOneStatistic) {
  EnvSpec spec;
  spec.episode_stats = {"other", "sold"};
  EvaluationReport report;
  report.episodes = {{.env = 0, .length = 3, .total_reward = 0, .stats = {7, 10}},
                     {.env = 0, .length = 3, .total_reward = 0, .stats = {7, 14}}};
  const Spread spread = SpreadOf(report, spec, "sold");
  EXPECT_EQ(spread.mean, 12);
  EXPECT_DOUBLE_EQ(spread.std, std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(spread.sem, 2);
  EXPECT_EQ(SpreadOf(report, spec, "other").ToJson(), Json({{"mean", 7}, {"std", 0}, {"sem", 0}}));
}

TEST(EvaluationReport, TheGainIsPairedByEpisode) {
  EvaluationReport report;
  for (const double reward : {100.0, 200.0, 300.0}) {
    report.episodes.push_back({.env = 0, .length = 3, .total_reward = reward, .stats = {}});
  }
  report.reference_returns = {99, 198, 297};
  report.rival_returns = {100, 199, 298};
  const Spread gain = GainOf(report);
  EXPECT_EQ(gain.mean, 2);
  EXPECT_EQ(gain.std, 1);  // the episodes themselves differ by 100
  const EvaluationReport copy = EvaluationReport::FromBytes(report.ToBytes());
  EXPECT_EQ(copy.reference_returns, report.reference_returns);
  EXPECT_EQ(copy.rival_returns, report.rival_returns);
  EXPECT_NO_THROW(copy.ExpectOf({}));
  report.rival_returns.pop_back();
  EXPECT_THROW(report.ExpectOf({}), Error);
  report.reference_returns.pop_back();
  EXPECT_THROW(report.ExpectOf({}), Error);
}

TEST(EvaluationReport, OfNoEpisodesOrOfAnotherTaskIsAnError) {
  EnvSpec spec;
  spec.episode_stats = {"cost"};
  EvaluationReport report;
  EXPECT_THROW(report.ExpectOf(spec), Error);
  report.episodes = {{0, 5, 1.5, {2}}};
  EXPECT_NO_THROW(report.ExpectOf(spec));
  report.episodes.push_back({1, 5, 1.5, {}});
  EXPECT_THROW(report.ExpectOf(spec), Error);
}

}  // namespace
}  // namespace dray
