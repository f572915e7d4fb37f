#include "src/oracle/route.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "src/routing/plan.h"
#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

std::vector<int> Stops(const Route& route) {
  std::vector<int> stops;
  for (int i = 1; i <= route.stops(); ++i) stops.push_back(route.nodes()[i].node);
  return stops;
}

std::vector<int> With(std::vector<int> stops, const Request& request, int pickup_after,
                      int delivery_after) {
  if (request.paired()) stops.insert(stops.begin() + delivery_after, request.delivery);
  stops.insert(stops.begin() + pickup_after, request.pickup);
  return stops;
}

// Every pair of positions, judged by driving the whole route.
Ticks CheapestByDriving(const Problem& problem, const Route& route, const Request& request) {
  Ticks best = Insertion::kImpossible;
  for (int i = 0; i <= route.stops(); ++i) {
    const int last = request.paired() ? route.stops() : i;
    for (int j = i; j <= last; ++j) {
      const Simulation driven = Simulate(problem, Plan{{With(Stops(route), request, i, j)}});
      if (!driven.violations.empty()) continue;
      const int64_t before = route.empty() ? 0 : route.travel();
      best = std::min(best, static_cast<Ticks>(driven.cost.travel - before));
    }
  }
  return best;
}

TEST(Route, FindsTheCheapestPlaceThatDrivingFinds) {
  int looked = 0;
  int possible = 0;
  for (int i = 0; i < 1500; ++i) {
    Rng rng(1, RngPurpose::kTest, i);
    Problem problem = AnyRandomProblem(8, rng);
    StopTable table;
    table.Load(problem);
    Route route;
    route.Clear(table);
    for (int request = 0; request < table.requests(); ++request) {
      const RequestView& view = table.View(request);
      const Insertion found = route.Cheapest(view, table.capacity());
      const Ticks best = CheapestByDriving(problem, route, problem.requests[request]);
      ++looked;
      // With shortcuts by detours, a place may be missed.
      EXPECT_GE(found.cost, best);
      if (i % 4 == 0) {
        const Insertion half = route.CheapestBlinking(view, table.capacity(), rng);
        EXPECT_GE(half.cost, found.cost);
      }
      if (!found.possible()) continue;
      ++possible;
      const int64_t before = route.empty() ? 0 : route.travel();
      route.Insert(table, view, found);
      EXPECT_EQ(route.travel(), before + found.cost);
      EXPECT_EQ(route.broken(), 0);
      EXPECT_TRUE(Simulate(problem, Plan{{Stops(route)}}).violations.empty());
    }
  }
  EXPECT_GT(possible, looked / 4);
  EXPECT_LT(possible, looked);
}

// Of a request to an oracle elsewhere: a search that placed it would go in circles.
TEST(Route, AStopThatClosesBeforeItOpensHasNoPlace) {
  for (int i = 0; i < 100; ++i) {
    Rng rng(4, RngPurpose::kTest, i);
    Problem problem = AnyRandomProblem(2, rng);
    for (const bool at_delivery : {false, true}) {
      Problem changed = problem;
      const Request& request = changed.requests[0];
      if (at_delivery && !request.paired()) continue;
      Stop& stop = changed.stops[at_delivery ? request.delivery : request.pickup];
      stop.opens = stop.closes + 1;
      StopTable table;
      table.Load(changed);
      Route route;
      route.Clear(table);
      EXPECT_FALSE(route.Cheapest(table.View(0), table.capacity()).possible());
    }
  }
}

TEST(Route, MissesNoPlaceWhereTheTriangleInequalityHolds) {
  for (int i = 0; i < 1000; ++i) {
    Rng rng(2, RngPurpose::kTest, i);
    RandomProblemOptions options;
    options.requests = 7;
    options.pair_share = 0.25 * rng.Below(5);
    options.widest_window = 0.2 * rng.Below(5);
    options.capacity = 1 + static_cast<int>(rng.Below(6));
    const Problem problem = RandomProblem(options, rng);
    StopTable table;
    table.Load(problem);
    Route route;
    route.Clear(table);
    ASSERT_EQ(table.requests(), 7);
    for (int request = 0; request < table.requests(); ++request) {
      const Insertion found = route.Cheapest(table.View(request), table.capacity());
      ASSERT_EQ(found.cost, CheapestByDriving(problem, route, problem.requests[request]));
      if (found.possible()) route.Insert(table, table.View(request), found);
    }
  }
}

TEST(Route, StartsAndLatestStartsAreThoseOfTheSimulator) {
  Rng rng(3, RngPurpose::kTest, 0);
  const Problem problem = RandomDeliveryProblem(30, rng);
  StopTable table;
  table.Load(problem);
  Route route;
  route.Clear(table);
  for (int request = 0; request < table.requests(); ++request) {
    const Insertion found = route.Cheapest(table.View(request), table.capacity());
    if (found.possible()) route.Insert(table, table.View(request), found);
  }
  ASSERT_GT(route.stops(), 6);
  const Simulation driven = Simulate(problem, Plan{{Stops(route)}});
  for (int i = 0; i < route.stops(); ++i) {
    const RouteNode& visit = route.nodes()[i + 1];
    EXPECT_EQ(visit.start, driven.routes[0][i].start);
    EXPECT_EQ(visit.load, driven.routes[0][i].load);
    EXPECT_LE(visit.start, visit.latest);
    // Starting at the latest moment is feasible, a tick later is not.
    Problem late = problem;
    late.stops[visit.node].opens = visit.latest;
    EXPECT_TRUE(Simulate(late, Plan{{Stops(route)}}).violations.empty());
    late.stops[visit.node].opens = visit.latest + 1;
    EXPECT_FALSE(Simulate(late, Plan{{Stops(route)}}).violations.empty());
  }
}

}  // namespace
}  // namespace dray
