#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "src/oracle/ruin_recreate.h"
#include "tests/oracle/random_problems.h"
#include "tests/routing/brute_force.h"

namespace dray {
namespace {

// Random problems of at most seven stops.
Problem TinyProblem(int index) {
  Rng rng(30, RngPurpose::kTest, index);
  for (;;) {
    Problem problem = AnyRandomProblem(6, rng);
    if (problem.stops.size() <= 7) return problem;
  }
}

std::pair<int, int64_t> Rank(const PlanCost& cost) { return {cost.unserved, cost.total()}; }

TEST(RuinRecreate, FindsTheBestPlanOfTinyProblems) {
  RuinRecreateOracle oracle({.rounds = 200, .searches = 3});
  int optimal = 0;
  constexpr int kProblems = 200;
  for (int i = 0; i < kProblems; ++i) {
    const Problem problem = TinyProblem(i);
    const Problem* pointer = &problem;
    const PlanCost found = oracle.Solve({&pointer, 1})[0].cost;
    const PlanCost best = BruteForce(problem).cost;
    EXPECT_GE(Rank(found), Rank(best)) << "problem " << i;
    EXPECT_EQ(Rank(found), Rank(best)) << "problem " << i;
    optimal += Rank(found) == Rank(best);
  }
  std::printf("optimal: %d of %d\n", optimal, kProblems);
}

TEST(ExactCost, NeverFallsWhenARequestIsAdded) {
  for (int i = 0; i < 60; ++i) {
    Rng rng(31, RngPurpose::kTest, i);
    RandomProblemOptions options;
    options.requests = 3;
    const Problem whole = RandomProblem(options, rng);
    int64_t before = 0;
    for (int requests = 1; requests <= 3; ++requests) {
      Problem problem = whole;
      problem.requests.resize(requests);
      problem.stops.resize(2 * requests);
      const int64_t cost = BruteForce(problem).cost.total();
      EXPECT_GE(cost, before);
      before = cost;
    }
  }
}

}  // namespace
}  // namespace dray
