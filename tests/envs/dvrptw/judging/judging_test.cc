#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "src/base/error.h"
#include "src/envs/delivery/judging/judge.h"
#include "src/envs/dvrptw/judging/comparison.h"
#include "src/envs/dvrptw/judging/comparison_text.h"
#include "src/envs/dvrptw/judging/hindsight.h"
#include "src/envs/dvrptw/judging/policies.h"

namespace dray::dvrptw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Config Task(int customers, int episodes) {
  Config config;
  config.mutable_env()->set_name("dvrptw");
  config.mutable_env()->MutableExtension(DvrptwConfig::dvrptw)->set_num_customers(customers);
  config.mutable_evaluation()->set_episodes(episodes);
  return config;
}

// A day's requests in another order.
Problem Reordered(const Problem& problem, Rng& rng) {
  std::vector<int> order(problem.requests.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  rng.Shuffle(std::span(order));
  Problem other = problem;
  other.stops.clear();
  other.requests.clear();
  for (const int i : order) {
    const int first = static_cast<int>(other.stops.size());
    other.stops.push_back(problem.stops[static_cast<size_t>(2 * i)]);
    other.stops.push_back(problem.stops[static_cast<size_t>(2 * i + 1)]);
    other.requests.push_back({first, first + 1});
  }
  return other;
}

Problem ADay(const World& world) {
  Problem problem = world.EmptyProblem();
  for (const Rider& rider : world.riders) AddRequest(rider.pool[0], 0, problem);
  return problem;
}

TEST(Judge, ThePriceDependsOnWhatWasAgreedAndNotOnHowTheDayWent) {
  const auto world = MakeWorld(Task(15, 1).env().GetExtension(DvrptwConfig::dvrptw));
  const Problem problem = ADay(*world);
  delivery::Judge judge(200, 1);
  const OracleAnswer answer = judge.Price(problem);
  Rng rng(3, RngPurpose::kTest, 0);
  for (int i = 0; i < 5; ++i) {
    const Problem other = Reordered(problem, rng);
    const OracleAnswer again = judge.Price(other);
    EXPECT_EQ(again.cost.total(), answer.cost.total());
    EXPECT_TRUE(Simulate(other, again.plan).violations.empty());
  }
}

TEST(Judge, SingleStopsArePricedApartFromTheirOrderToo) {
  Problem problem = MakeWorld(Task(12, 1).env().GetExtension(DvrptwConfig::dvrptw))->EmptyProblem();
  problem.fleet.capacity = 40;
  Rng rng(5, RngPurpose::kTest, 0);
  for (int i = 0; i < 12; ++i) {
    const Ticks opens = 3000 + 600 * static_cast<Ticks>(rng.Below(4));
    problem.stops.push_back({10 + i, opens, opens + 600, 50, 1 + i});
    problem.requests.push_back({i, -1});
  }
  delivery::Judge judge(200, 1);
  const OracleAnswer answer = judge.Price(problem);
  EXPECT_EQ(answer.cost.unserved, 0);
  for (int i = 0; i < 5; ++i) {
    rng.Shuffle(std::span(problem.requests));
    const OracleAnswer again = judge.Price(problem);
    EXPECT_EQ(again.cost.total(), answer.cost.total());
    EXPECT_TRUE(Simulate(problem, again.plan).violations.empty());
  }
}

TEST(Hindsight, IsFeasibleAcceptedAndNoWorseThanNeverShifting) {
  const auto world = MakeWorld(Task(20, 1).env().GetExtension(DvrptwConfig::dvrptw));
  std::vector<Trip> trips;
  std::vector<Flexibility> types;
  for (const Rider& rider : world->riders) {
    trips.push_back(rider.pool[1]);
    types.push_back(rider.type);
  }
  Problem as_asked = world->EmptyProblem();
  for (const Trip& trip : trips) AddRequest(trip, 0, as_asked);
  const int64_t none = delivery::Judge(1000, 1).Price(as_asked).cost.total();
  Hindsight hindsight(*world, 0.05, 60);
  const HindsightPlan plan = hindsight.Solve(trips, types);
  const Simulation driven = Simulate(plan.problem, plan.plan);
  EXPECT_TRUE(driven.violations.empty());
  EXPECT_EQ(driven.cost.unserved, 0);
  double objective = static_cast<double>(driven.cost.total());
  for (size_t i = 0; i < trips.size(); ++i) {
    EXPECT_TRUE(Accepts(types[i], plan.actions[i]));
    const Trip agreed = Shifted(trips[i], plan.actions[i]);
    EXPECT_EQ(plan.problem.stops[2 * i].opens, agreed.pickup_early);
    EXPECT_EQ(plan.problem.stops[2 * i + 1].closes, agreed.dropoff_late);
    objective += 10 * PatiencePenalty(plan.actions[i], 0.05);
  }
  EXPECT_LE(objective, static_cast<double>(none));
}

TEST(Comparison, BaselinesAreInTheOrderTheyShouldBe) {
  ComparisonOptions options;
  options.baselines = BaselineNames();
  options.baselines.push_back("hindsight");
  const Comparison comparison = Compare(Task(15, 24), options);
  ASSERT_EQ(comparison.scores.size(), 8u);
  const auto objective = [&](const char* policy) {
    return comparison.Find(policy)->objective.mean;
  };
  EXPECT_LT(objective("myopic_true"), objective("none"));
  EXPECT_LT(objective("hindsight"), objective("myopic_true"));
  // Before anything is believed, everything is allowed.
  EXPECT_EQ(objective("myopic_believed"), objective("myopic_hopeful"));
  EXPECT_LT(comparison.Find("max_shift")->cost.mean, comparison.Find("none")->cost.mean);
  EXPECT_EQ(comparison.Find("none")->shift_min.mean, 0);
  EXPECT_EQ(comparison.Find("max_shift")->acceptance.mean, 1);
  EXPECT_NEAR(comparison.Find("max_shift")->shift_by_type[3], 60, 1e-9);
  EXPECT_EQ(comparison.Find("max_shift")->shift_by_type[2], 0);
  for (const PolicyScore& score : comparison.scores) {
    EXPECT_NEAR(score.objective.mean, score.cost.mean + score.patience.mean, 1e-6) << score.policy;
    for (const JudgedDay& day : score.days) {
      EXPECT_TRUE(Simulate(day.problem, day.plan).violations.empty());
      // The judge searches longer than the oracle of the day did.
      EXPECT_LT(day.cost, 1.02 * day.played_cost);
    }
  }
  EXPECT_THAT(ComparisonText(comparison), HasSubstr("hindsight"));
  EXPECT_THAT(ComparisonMarkdown(comparison), HasSubstr("| myopic_true |"));
  EXPECT_THAT(ComparisonJson(comparison), HasSubstr("\"against_none_pct\""));
}

TEST(Comparison, EveryPolicyMeetsTheSameRidersWithTheSameTrips) {
  ComparisonOptions options;
  options.baselines = {"random", "max_shift"};
  const Comparison comparison = Compare(Task(8, 5), options);
  ASSERT_GE(comparison.scores.size(), 2u);
  for (const PolicyScore& score : comparison.scores) {
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(score.days[i].asked, comparison.scores[0].days[i].asked);
    }
  }
}

TEST(Comparison, ReportsHowFarPlayingAndJudgingEachPolicyAre) {
  ComparisonOptions options;
  options.baselines = {"random", "hindsight"};
  std::vector<std::string> stages;
  std::map<std::string, std::vector<double>> shares;
  options.progress = [&](const std::string& stage, int done, int of) {
    if (stages.empty() || stages.back() != stage) stages.push_back(stage);
    shares[stage].push_back(1.0 * done / of);
  };
  Compare(Task(5, 4), options);
  EXPECT_THAT(
      stages,
      ElementsAre("policy 1 of 3, none: playing", "policy 1 of 3, none: judging",
                  "policy 2 of 3, random: playing", "policy 2 of 3, random: judging",
                  "policy 3 of 3, hindsight: playing", "policy 3 of 3, hindsight: judging"));
  EXPECT_EQ(shares[stages[2]].size(), 6u);                             // 5 steps
  EXPECT_THAT(shares[stages[3]], ElementsAre(0, 0.25, 0.5, 0.75, 1));  // 4 days
  EXPECT_EQ(shares[stages[4]], shares[stages[3]]);
}

TEST(Comparison, AnUnknownBaselineIsNamed) {
  ComparisonOptions options;
  options.baselines = {"wishful"};
  try {
    Compare(Task(5, 1), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"wishful\""));
  }
}

}  // namespace
}  // namespace dray::dvrptw
