#include "src/oracle/vrptw/prize_problem.h"

#include <gtest/gtest.h>

#include <string>

#include "src/base/error.h"

namespace dray {
namespace {

// A depot and two stops in a row, each 10 apart; vehicles leave from 0 on and are back by 100.
PrizeProblem Line() {
  PrizeProblem problem;
  problem.travel = TravelMatrix(3, {0, 10, 20, 10, 0, 10, 20, 10, 0});
  problem.depot_closes = 100;
  problem.capacity = 5;
  problem.stops = {{.place = 1, .opens = 0, .closes = 50, .service = 5, .load = 3},
                   {.place = 2, .opens = 40, .closes = 60, .service = 5, .load = 2}};
  return problem;
}

std::string Refusal(const PrizeProblem& problem, std::vector<std::vector<int>> routes) {
  try {
    CheckedPlan(problem, std::move(routes));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(CheckedPlan, AddsUpTravelAndThePrizesOfUnservedStops) {
  PrizeProblem problem = Line();
  EXPECT_EQ(CheckedPlan(problem, {{0, 1}}).cost, 40);
  problem.stops[1].prize = 7;
  const PrizePlan plan = CheckedPlan(problem, {{0}});
  EXPECT_EQ(plan.travel, 20);
  EXPECT_EQ(plan.cost, 27);
  EXPECT_EQ(plan.unserved, std::vector<int>{1});
}

TEST(CheckedPlan, NamesTheRuleThatARouteBreaks) {
  PrizeProblem problem = Line();
  EXPECT_EQ(Refusal(problem, {{0}}), "stop 1 must be served, but is not");
  EXPECT_EQ(Refusal(problem, {{0}, {0, 1}}), "stop 0 is served twice");
  EXPECT_EQ(Refusal(problem, {{0, 1, 2}}), "a route has stop 2, which does not exist");
  EXPECT_EQ(Refusal(problem, {{1, 0}}), "a route reaches stop 0 at 55, after 50");
  problem.capacity = 4;
  EXPECT_EQ(Refusal(problem, {{0, 1}}), "a route carries 5, more than the capacity of 4");
  problem = Line();
  problem.depot_closes = 60;
  EXPECT_EQ(Refusal(problem, {{0, 1}}), "a route returns at 65, after the depot closes at 60");
  problem = Line();
  problem.stops[0].leaves_by = 5;
  problem.stops[1].release = 6;
  EXPECT_EQ(Refusal(problem, {{0, 1}}),
            "a route leaves at 6, but one of its stops needs it to leave by 5");
}

TEST(CheckedPlan, ARouteLeavesWhenItsLastStopIsReleased) {
  PrizeProblem problem = Line();
  problem.stops[1].release = 40;
  EXPECT_EQ(Refusal(problem, {{0}, {1}}), "");
  EXPECT_EQ(Refusal(problem, {{0, 1}}), "a route reaches stop 1 at 65, after 60");
}

}  // namespace
}  // namespace dray
