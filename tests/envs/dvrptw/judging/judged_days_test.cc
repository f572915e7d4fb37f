#include "src/envs/dvrptw/judging/judged_days.h"

#include <gtest/gtest.h>

#include <sstream>

#include "src/base/json.h"
#include "src/envs/dvrptw/dvrptw.pb.h"

namespace dray::dvrptw {
namespace {

std::vector<Json> LinesOf(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(ParsedJson(line));
  return lines;
}

Comparison SmallComparison() {
  Config config;
  config.mutable_env()->set_name("dvrptw");
  config.mutable_env()->MutableExtension(DvrptwConfig::dvrptw)->set_num_customers(6);
  config.mutable_evaluation()->set_episodes(3);
  ComparisonOptions options;
  options.baselines = {"max_shift"};
  return Compare(config, options);
}

TEST(JudgedDays, EveryDayOfEveryPolicyIsALineAfterTheCity) {
  const Comparison comparison = SmallComparison();
  const std::vector<Json> lines = LinesOf(JudgedDaysText(comparison));
  ASSERT_EQ(lines.size(), 1u + 2 * 3);
  EXPECT_EQ(lines[0]["episodes"], 3);
  EXPECT_EQ(lines[0]["city"]["extra_vehicle_cost"], 500);
  EXPECT_EQ(lines[1]["policy"], "none");
  EXPECT_EQ(lines[3]["day"], 3);
  EXPECT_EQ(lines[4]["policy"], "max_shift");
  EXPECT_EQ(lines[4]["day"], 1);
}

TEST(JudgedDays, ALineIsTheProblemAsAgreedWithTheJudgesPlanAndPrice) {
  const Comparison comparison = SmallComparison();
  const std::vector<Json> lines = LinesOf(JudgedDaysText(comparison));
  const JudgedDay& day = comparison.scores[1].days[2];
  const Json& line = lines.back();
  ASSERT_EQ(line["stops"].size(), day.problem.stops.size());
  for (size_t i = 0; i < day.problem.stops.size(); ++i) {
    EXPECT_EQ(line["stops"][i][0], day.problem.stops[i].place);
    EXPECT_EQ(line["stops"][i][1], day.problem.stops[i].opens);
  }
  EXPECT_EQ(line["requests"].size(), 6u);
  EXPECT_EQ(line["routes"].get<std::vector<std::vector<int>>>(), day.plan.routes);
  EXPECT_EQ(line["cost_min"], day.cost);
  EXPECT_EQ(line["objective_min"], day.objective);
  EXPECT_GT(day.objective, day.cost);
}

}  // namespace
}  // namespace dray::dvrptw
