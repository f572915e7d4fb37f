#include "src/oracle/vrptw/prize_search.h"

#include <gtest/gtest.h>

#include "src/base/error.h"
#include "tests/oracle/vrptw/prize_problems.h"

namespace dray {
namespace {

TEST(PrizeSearch, FindsTheLowestCostOfSmallProblems) {
  int with_unserved = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const PrizeProblem problem = RandomPrizeProblem(6, seed);
    PrizeSearch search(problem, {.seed = seed});
    search.Run(3000);
    const PrizePlan plan = search.Best();
    EXPECT_EQ(plan.cost, LowestCost(problem)) << "seed " << seed;
    EXPECT_EQ(plan.cost, search.best_cost());
    with_unserved += !plan.unserved.empty();
  }
  EXPECT_GT(with_unserved, 10);
}

TEST(PrizeSearch, IsAFunctionOfProblemAndSeed) {
  const PrizeProblem problem = RandomPrizeProblem(60, 1);
  const auto routes = [&](uint64_t seed) {
    PrizeSearch search(problem, {.seed = seed});
    search.Run(500);
    return search.Best().routes;
  };
  EXPECT_EQ(routes(5), routes(5));
  EXPECT_NE(routes(5), routes(6));
}

TEST(PrizeSearch, IsNeverWorseThanThePlanItStartsFrom) {
  const PrizeProblem problem = RandomPrizeProblem(80, 2);
  PrizeSearch first(problem, {.seed = 1});
  first.Run(3000);
  const PrizePlan start = first.Best();
  PrizeSearch second(problem, {.seed = 2});
  second.Start(start.routes);
  EXPECT_LE(second.best_cost(), start.cost);
  second.Run(100);
  EXPECT_LE(second.Best().cost, start.cost);
}

TEST(PrizeSearch, MoreRoundsGiveCheaperPlans) {
  int64_t few = 0, many = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const PrizeProblem problem = RandomPrizeProblem(100, 10 + seed);
    PrizeSearch quick(problem, {.seed = 1}), slow(problem, {.seed = 1});
    quick.Run(50);
    slow.Run(5000);
    few += quick.best_cost();
    many += slow.best_cost();
  }
  EXPECT_LT(many, few);
}

TEST(PrizeSearch, AProblemWithoutStopsHasAnEmptyPlan) {
  PrizeProblem problem = RandomPrizeProblem(1, 1);
  problem.stops.clear();
  PrizeSearch search(problem, {});
  search.Run(10);
  EXPECT_TRUE(search.Best().routes.empty());
  EXPECT_EQ(search.Best().cost, 0);
}

TEST(PrizeSearch, RefusesAStopThatNoVehicleCanServe) {
  PrizeProblem problem = RandomPrizeProblem(3, 1);
  problem.stops[1].closes = 0;
  problem.stops[1].opens = 0;
  problem.stops[1].prize = PrizeStop::kMandatory;
  EXPECT_THROW(PrizeSearch(problem, {}), Error);
}

}  // namespace
}  // namespace dray
