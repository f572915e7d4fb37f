#include "src/search/search_report.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "src/base/file.h"
#include "src/search/search_curve.h"

namespace dray {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> kNames = {"user", "server", "defender"};

TrialResult Result(double mean, double compliance, double variance = 25, int64_t episodes = 25) {
  TrialResult result;
  result.mean_return = mean;
  result.return_variance = variance;
  result.episodes = episodes;
  result.compliance = compliance;
  result.seconds = 1.5;
  return result;
}

class SearchReport : public testing::Test {
 protected:
  void Add(int order, const TrialResult& result) {
    Trial trial;
    trial.number = static_cast<int>(trials_.size()) + 1;
    trial.order = order;
    trial.seed = 7;
    trials_.push_back({trial, result});
    search_.Tell(order, result);
  }
  SearchFindings Findings() const { return {search_, trials_, kNames, "a task", {}}; }

  OrderSearch search_{SearchConfig(), 3, 1};
  std::vector<FinishedTrial> trials_;
};

TEST_F(SearchReport, TheBestLineHasTheOrderItsIntervalAndItsCompliance) {
  Add(0, Result(-80, 1));
  Add(3, Result(-61.25, 0.97));
  // t(24) = 2.0639, times 5 / 5.
  EXPECT_EQ(BestLine(Findings()),
            "Best: server > defender > user: -61.2 ± 2.1 (95 % interval, 25 episodes), compliance "
            "0.97");
}

TEST_F(SearchReport, WhatDidNotComplyIsNotTheBest) {
  Add(0, Result(-80, 1));
  Add(3, Result(-10, 0.5));
  EXPECT_THAT(BestLine(Findings()), StartsWith("Best: user > server > defender: -80.0"));
  EXPECT_THAT(SearchText(Findings()), HasSubstr("-10.0"));
}

TEST_F(SearchReport, SaysWhenThereIsNoBest) {
  EXPECT_EQ(BestLine(Findings()), "Best: none yet, no training has finished");
  EXPECT_THAT(SearchText(Findings()), HasSubstr("none yet"));
  Add(0, Result(-80, 0.4));
  Add(1, Result(-70, 0.6));
  EXPECT_THAT(BestLine(Findings()),
              StartsWith("Best: none, no policy complied enough (the most: 0.60, user > defender > "
                         "server)"));
}

TEST_F(SearchReport, TheModelMayPreferAnotherThanTheLuckiest) {
  EXPECT_EQ(ModelLine(Findings()), "");
  // A lucky result of two episodes, whose neighbours are known to be worse.
  Add(0, Result(-60, 1, 400, 100));
  Add(1, Result(-61, 1, 400, 100));
  Add(5, Result(-59, 1, 40000, 2));
  Add(4, Result(-90, 1, 400, 100));
  Add(3, Result(-91, 1, 400, 100));
  EXPECT_THAT(BestLine(Findings()), StartsWith("Best: defender > server > user: -59.0 ±"));
  EXPECT_THAT(ModelLine(Findings()), StartsWith("By the model: user > server > defender: -6"));
}

TEST_F(SearchReport, OneEpisodeHasNoInterval) {
  Add(0, Result(-80, 1, 0, 1));
  EXPECT_EQ(BestLine(Findings()),
            "Best: user > server > defender: -80.0 (1 episode), compliance 1.00");
}

TEST_F(SearchReport, TheCurveFollowsTheBestByAllResultsSoFar) {
  const std::vector<double> truth = {-80, -70, -60, -50, -40, -30};
  Add(0, Result(-80, 0.2));  // does not count
  Add(1, Result(-70, 1));
  Add(3, Result(-52, 1));
  Add(2, Result(-60, 1));
  Add(3, Result(-48, 1));
  const auto curve = CurveOf(search_, trials_, truth);
  EXPECT_EQ(curve[0].best_order, -1);
  EXPECT_TRUE(std::isnan(curve[0].best_return));
  EXPECT_EQ(curve[0].average_return, -80);
  EXPECT_EQ(curve[1].best_return, -70);
  EXPECT_EQ(curve[1].regret_to_found, 20);
  EXPECT_EQ(curve[1].regret_to_optimum, 40);
  EXPECT_EQ(curve[2].best_return, -52);
  EXPECT_EQ(curve[2].regret_to_found, 0);
  EXPECT_EQ(curve[3].best_order, 3);
  EXPECT_EQ(curve[4].best_return, -50);
  EXPECT_EQ(curve[4].regret_to_optimum, 20);
  EXPECT_EQ(curve[4].average_return, -62);
}

TEST_F(SearchReport, RepeatedTrainingsArePooledEpisodeByEpisode) {
  // Episodes 1, 2, 3 and 5, 9 by hand: mean 4, squares 9 + 4 + 1 + 1 + 25.
  const TrialResult pooled = Pooled({Result(2, 1, 1, 3), Result(7, 0.5, 8, 2)});
  EXPECT_EQ(pooled.mean_return, 4);
  EXPECT_EQ(pooled.return_variance, 10);
  EXPECT_EQ(pooled.episodes, 5);
  EXPECT_DOUBLE_EQ(pooled.compliance, 0.8);
}

TEST_F(SearchReport, FilesHaveARowPerTrialAndPerOrder) {
  Add(0, Result(-80, 1));
  Add(5, Result(std::numeric_limits<double>::quiet_NaN(), 1));
  Add(3, Result(-60.5, 1));
  const std::string folder = testing::TempDir() + "/search_report";
  std::filesystem::create_directories(folder);
  WriteSearchFiles(Findings(), folder);
  const std::string trials = ReadFile(folder + "/search.csv");
  EXPECT_EQ(std::ranges::count(trials, '\n'), 4);
  EXPECT_THAT(trials, HasSubstr("\n3,3,server > defender > user,7,-60.5,"));
  EXPECT_THAT(trials, HasSubstr("\n2,5,defender > server > user,7,,"));
  const std::string orders = ReadFile(folder + "/orders.csv");
  EXPECT_EQ(std::ranges::count(orders, '\n'), 7);
  EXPECT_THAT(orders, HasSubstr("\n1,user > defender > server,0,0,0,,,,"));
  const std::string report = ReadFile(folder + "/report.md");
  EXPECT_THAT(report, StartsWith("**No verdict yet"));
  EXPECT_THAT(report, HasSubstr("\nBest: server > defender > user: -60.5 ± 2.1"));
  EXPECT_THAT(report, HasSubstr("| 3 | server > defender > user |"));
}

}  // namespace
}  // namespace dray
