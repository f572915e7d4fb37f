#include "src/oracle/ruin_recreate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <set>

#include "tests/oracle/random_problems.h"

namespace {

std::atomic<int64_t> allocations = 0;

}  // namespace

void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace dray {
namespace {

Problem Deliveries(int index) {
  Rng rng(50, RngPurpose::kTest, index);
  return RandomDeliveryProblem(30, rng);
}

OracleAnswer Solve(const Problem& problem, const RuinRecreateOptions& options) {
  const Problem* pointer = &problem;
  return RuinRecreateOracle(options).Solve({&pointer, 1})[0];
}

TEST(RuinRecreate, RoundsAllocateNothing) {
  const Problem problem = Deliveries(0);
  const Plan plan = RuinRecreateOracle({.rounds = 5000}).ImproveOne(problem, {}).plan;
  const auto allocated = [&](int rounds) {
    RuinRecreateOracle oracle({.rounds = rounds});
    oracle.ImproveOne(problem, plan);
    const int64_t before = allocations;
    oracle.ImproveOne(problem, plan);
    return allocations - before;
  };
  // What remains is reading and writing the plan.
  EXPECT_LE(allocated(5000), allocated(0) + 20);
}

TEST(RuinRecreate, MoreRoundsAndMoreSearchesAreBetter) {
  int64_t costs[4] = {};
  for (int i = 0; i < 10; ++i) {
    const Problem problem = Deliveries(i);
    costs[0] += Solve(problem, {.rounds = 0}).cost.total();
    costs[1] += Solve(problem, {.rounds = 100}).cost.total();
    costs[2] += Solve(problem, {.rounds = 1000}).cost.total();
    costs[3] += Solve(problem, {.rounds = 1000, .searches = 3}).cost.total();
  }
  EXPECT_LT(costs[1], costs[0]);
  EXPECT_LT(costs[2], costs[1]);
  EXPECT_LE(costs[3], costs[2]);
}

TEST(RuinRecreate, SeedsGiveOtherSearches) {
  const Problem problem = Deliveries(1);
  std::set<std::vector<std::vector<int>>> plans;
  for (uint64_t seed = 0; seed < 5; ++seed)
    plans.insert(Solve(problem, {.rounds = 30, .seed = seed}).plan.routes);
  EXPECT_GT(plans.size(), 1u);
}

TEST(RuinRecreate, CountsVehiclesBeforeTravelWhenAsked) {
  int fewer = 0;
  for (int i = 0; i < 10; ++i) {
    Problem problem = Deliveries(i);
    problem.fleet.free_vehicles = 30;
    const PlanCost least_travel = Solve(problem, {.rounds = 300}).cost;
    const PlanCost fewest = Solve(problem, {.rounds = 300, .fewest_vehicles = true}).cost;
    EXPECT_EQ(fewest.unserved, 0);
    EXPECT_LE(fewest.vehicles, least_travel.vehicles);
    fewer += fewest.vehicles < least_travel.vehicles;
  }
  EXPECT_GT(fewer, 5);
}

TEST(RuinRecreate, ServesAsManyAsAHardFleetCan) {
  int served_all = 0;
  for (int i = 0; i < 10; ++i) {
    Problem problem = Deliveries(i);
    const int needed = Solve(problem, {.rounds = 300, .fewest_vehicles = true}).cost.vehicles;
    problem.fleet.hard = true;
    problem.fleet.free_vehicles = needed;
    served_all += Solve(problem, {.rounds = 1000}).cost.unserved == 0;
    problem.fleet.free_vehicles = 1;
    EXPECT_GT(Solve(problem, {.rounds = 50}).cost.unserved, 0);
  }
  EXPECT_GE(served_all, 8);
}

}  // namespace
}  // namespace dray
