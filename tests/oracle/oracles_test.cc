#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/oracle/insertion.h"
#include "src/oracle/registry.h"
#include "src/oracle/ruin_recreate.h"
#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

// What every oracle must keep, whatever it is.

struct Candidate {
  std::string name;
  std::function<std::unique_ptr<Oracle>(uint64_t seed)> make;
  int parts = 40;  // of 2500 problems
};

std::unique_ptr<Oracle> Registered(const std::string& name, uint64_t seed, bool fewest_vehicles) {
  OracleConfig config;
  config.set_kind(OracleKindNamed(name));
  config.set_rounds(20);
  config.set_seed(seed);
  config.set_device(CPU);
  return ChooseOracle(config, {.fewest_vehicles = fewest_vehicles}).oracle;
}

std::vector<Candidate> Candidates() {
  std::vector<Candidate> all = {
      {"insertion_alone", [](uint64_t) { return std::make_unique<InsertionOracle>(false); }},
      {"ruin_recreate_fewest",
       [](uint64_t seed) { return Registered("ruin_recreate", seed, true); }},
  };
  for (const std::string& name : OracleNames()) {
    all.push_back({name, [name](uint64_t seed) { return Registered(name, seed, false); }});
    // Its network is ten times as slow as an insertion.
    if (name == "neural") all.back().parts = 4;
  }
  return all;
}

class EveryOracle : public testing::TestWithParam<Candidate> {};

void ExpectFeasible(const Problem& problem, const OracleAnswer& answer) {
  const Simulation driven = Simulate(problem, answer.plan);
  EXPECT_TRUE(driven.violations.empty()) << driven.violations.front();
  EXPECT_EQ(driven.cost.travel, answer.cost.travel);
  EXPECT_EQ(driven.cost.vehicles, answer.cost.vehicles);
  EXPECT_EQ(driven.cost.extra_vehicles, answer.cost.extra_vehicles);
  EXPECT_EQ(driven.cost.unserved, answer.cost.unserved);
  EXPECT_TRUE(problem.fleet.hard || answer.cost.unserved == 0);
}

std::vector<Problem> ManyProblems(int count, int most_requests, uint64_t seed) {
  std::vector<Problem> problems;
  for (int i = 0; i < count; ++i) {
    Rng rng(seed, RngPurpose::kTest, i);
    problems.push_back(AnyRandomProblem(most_requests, rng));
  }
  return problems;
}

std::vector<const Problem*> Pointers(const std::vector<Problem>& problems) {
  std::vector<const Problem*> pointers;
  for (const Problem& problem : problems) pointers.push_back(&problem);
  return pointers;
}

TEST_P(EveryOracle, PlansAreFeasibleAndCostWhatTheySay) {
  const std::unique_ptr<Oracle> oracle = GetParam().make(1);
  ASSERT_GT(GetParam().parts, 0);
  for (int part = 0; part < GetParam().parts; ++part) {
    const std::vector<Problem> problems = ManyProblems(2500, 14, 100 + part);
    const std::vector<OracleAnswer> answers = oracle->Solve(Pointers(problems));
    ASSERT_EQ(answers.size(), 2500u);
    for (size_t i = 0; i < problems.size(); ++i) {
      ExpectFeasible(problems[i], answers[i]);
      if (HasFailure()) {
        FAIL() << "problem " << i << " of part " << part;
      }
    }
  }
}

TEST_P(EveryOracle, AnswersDependOnProblemAndSeedAlone) {
  const std::vector<Problem> problems = ManyProblems(60, 20, 7);
  const std::vector<OracleAnswer> all = GetParam().make(3)->Solve(Pointers(problems));
  ASSERT_EQ(all.size(), 60u);
  const std::unique_ptr<Oracle> one_by_one = GetParam().make(3);
  for (size_t i = problems.size(); i-- > 0;) {
    const Problem* problem = &problems[i];
    const std::vector<OracleAnswer> alone = one_by_one->Solve({&problem, 1});
    EXPECT_EQ(alone[0].plan.routes, all[i].plan.routes);
    EXPECT_EQ(alone[0].cost.total(), all[i].cost.total());
  }
}

TEST_P(EveryOracle, SolvesWhatHasNoRequests) {
  Problem problem = ManyProblems(1, 3, 8)[0];
  problem.requests.clear();
  problem.stops.clear();
  const Problem* pointer = &problem;
  const std::vector<OracleAnswer> answers = GetParam().make(0)->Solve({&pointer, 1});
  EXPECT_TRUE(answers[0].plan.routes.empty());
  EXPECT_EQ(answers[0].cost.total(), 0);
  EXPECT_TRUE(GetParam().make(0)->Solve({}).empty());
}

TEST_P(EveryOracle, LeavesOutWhatNoVehicleCanServe) {
  Rng rng(9, RngPurpose::kTest, 0);
  Problem problem = RandomDeliveryProblem(6, rng);
  problem.stops[4].closes = problem.stops[4].opens = 0;  // the depot is not even open
  problem.depot_opens = 100;
  const Problem* pointer = &problem;
  const OracleAnswer answer = GetParam().make(0)->Solve({&pointer, 1})[0];
  EXPECT_EQ(answer.cost.unserved, 1);
  EXPECT_TRUE(Simulate(problem, answer.plan).violations.empty());
}

INSTANTIATE_TEST_SUITE_P(All, EveryOracle, testing::ValuesIn(Candidates()),
                         [](const auto& info) { return info.param.name; });

// The first requests of an episode, as they are added one by one.
Problem Prefix(const Problem& whole, int requests) {
  Problem prefix = whole;
  prefix.requests.resize(requests);
  prefix.stops.resize(2 * requests);
  return prefix;
}

TEST(WarmStart, KeepsPlansFeasibleAlongAnEpisode) {
  int falls = 0;
  int steps = 0;
  RuinRecreateOracle oracle({.rounds = 10});
  for (int episode = 0; episode < 40; ++episode) {
    Rng rng(10, RngPurpose::kTest, episode);
    const Problem whole = RandomDeliveryProblem(30, rng);
    OracleAnswer answer;
    for (int requests = 1; requests <= 30; ++requests) {
      const Problem problem = Prefix(whole, requests);
      const int64_t before = answer.cost.total();
      answer = oracle.ImproveOne(problem, answer.plan);
      ExpectFeasible(problem, answer);
      falls += answer.cost.total() < before;
      ++steps;
    }
  }
  std::printf("cost fell after adding a request: %d of %d steps (%.2f %%)\n", falls, steps,
              100.0 * falls / steps);
  EXPECT_LT(falls, steps / 20);
}

TEST(WarmStart, NeverReturnsAWorsePlanThanItWasGiven) {
  RuinRecreateOracle oracle({.rounds = 10});
  for (int i = 0; i < 200; ++i) {
    Rng rng(11, RngPurpose::kTest, i);
    const Problem problem = AnyRandomProblem(15, rng);
    const Problem* pointer = &problem;
    const OracleAnswer first = InsertionOracle(false).Solve({&pointer, 1})[0];
    const OracleAnswer second = oracle.ImproveOne(problem, first.plan);
    ExpectFeasible(problem, second);
    EXPECT_LE(std::make_pair(second.cost.unserved, second.cost.total()),
              std::make_pair(first.cost.unserved, first.cost.total()));
  }
}

TEST(WarmStart, MendsAPlanWhoseWindowsMovedOrWhoseRoutesAreNonsense) {
  RuinRecreateOracle oracle({.rounds = 10});
  for (int i = 0; i < 300; ++i) {
    Rng rng(12, RngPurpose::kTest, i);
    const Problem problem = AnyRandomProblem(12, rng);
    Plan plan;
    for (int stop = 0; stop < static_cast<int>(problem.stops.size()); ++stop) {
      if (plan.routes.empty() || rng.Below(3) == 0) plan.routes.emplace_back();
      plan.routes[rng.Below(static_cast<uint32_t>(plan.routes.size()))].push_back(stop);
    }
    std::erase_if(plan.routes, [](const auto& route) { return route.empty(); });
    for (auto& route : plan.routes) rng.Shuffle(std::span<int>(route));
    ExpectFeasible(problem, oracle.ImproveOne(problem, plan));
  }
}

}  // namespace
}  // namespace dray
