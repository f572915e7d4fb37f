#include "src/envs/dvrptw/judging/lookahead_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/envs/dvrptw/judging/comparison.h"

namespace dray::dvrptw {
namespace {

Config Task(int customers, int episodes) {
  Config config;
  config.mutable_env()->set_name("dvrptw");
  DvrptwConfig& deliveries = *config.mutable_env()->MutableExtension(DvrptwConfig::dvrptw);
  deliveries.set_num_customers(customers);
  deliveries.mutable_flexibility()->set_belief(FlexibilityConfig::TRUE_TYPES);
  deliveries.mutable_lookahead()->set_futures(16);
  deliveries.mutable_lookahead()->set_rounds(0);
  config.mutable_evaluation()->set_episodes(episodes);
  return config;
}

double ObjectiveOf(const Comparison& comparison, const char* policy) {
  return comparison.Find(policy)->objective.mean;
}

TEST(LookaheadPlayer, EndsBelowTheGreedyRuleAndTheSameEachTime) {
  ComparisonOptions options;
  options.baselines = {"myopic_true", "lookahead"};
  const Comparison comparison = Compare(Task(20, 32), options);
  EXPECT_LT(ObjectiveOf(comparison, "lookahead"), ObjectiveOf(comparison, "myopic_true"));
  EXPECT_EQ(comparison.Find("lookahead")->acceptance.mean, 1);
  // However its threads raced.
  EXPECT_EQ(ObjectiveOf(Compare(Task(20, 32), options), "lookahead"),
            ObjectiveOf(comparison, "lookahead"));
}

TEST(LookaheadPlayer, KnowsOfRidersWhatIsBelievedAlone) {
  // Nobody has answered yet: everything may be proposed, and some of it is refused.
  Config config = Task(10, 8);
  DvrptwConfig& deliveries = *config.mutable_env()->MutableExtension(DvrptwConfig::dvrptw);
  deliveries.mutable_flexibility()->set_belief(FlexibilityConfig::BAYES);
  ComparisonOptions options;
  options.baselines = {"lookahead"};
  EXPECT_LT(Compare(config, options).Find("lookahead")->acceptance.mean, 1);
}

TEST(LookaheadPlayer, PlanNeedsALearnedPolicy) {
  ComparisonOptions options;
  options.baselines = {"plan"};
  try {
    Compare(Task(5, 1), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("--run-dir"));
  }
}

}  // namespace
}  // namespace dray::dvrptw
