#include "src/routing/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/routing/street.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> ViolationsOf(const Problem& problem, const Plan& plan) {
  return Simulate(problem, plan).violations;
}

TEST(Simulate, DrivesWaitsAndServes) {
  Problem problem = Street({10, 20}, 2, 1);
  problem.depot_opens = 5;
  problem.stops[0].opens = 40;
  problem.stops[0].service = 3;
  const Simulation simulation = Simulate(problem, {{{0, 1}}});
  EXPECT_THAT(simulation.violations, IsEmpty());
  EXPECT_EQ(simulation.cost.travel, 40);
  EXPECT_EQ(simulation.cost.vehicles, 1);
  EXPECT_EQ(simulation.cost.unserved, 0);
  ASSERT_EQ(simulation.routes.size(), 1u);
  const Visit& first = simulation.routes[0][0];
  EXPECT_EQ(first.arrival, 15);
  EXPECT_EQ(first.start, 40);
  EXPECT_EQ(first.load, 1);
  const Visit& second = simulation.routes[0][1];
  EXPECT_EQ(second.arrival, 53);
  EXPECT_EQ(second.start, 53);
  EXPECT_EQ(second.load, 2);
  EXPECT_THAT(simulation.returns, ElementsAre(73));
}

TEST(Simulate, AnAsymmetricMatrixIsReadFromRowToColumn) {
  Problem problem = Street({1}, 1, 1);
  problem.travel = TravelMatrix(2, {0, 3, 5, 0});
  const Simulation simulation = Simulate(problem, {{{0}}});
  EXPECT_EQ(simulation.routes[0][0].arrival, 3);
  EXPECT_EQ(simulation.cost.travel, 8);
}

TEST(Simulate, ServiceAtTheVeryEndOfTheWindowIsInTimeAndOneTickLaterIsNot) {
  Problem problem = Street({10}, 1, 1);
  problem.stops[0].closes = 10;
  problem.depot_closes = 20;
  EXPECT_THAT(ViolationsOf(problem, {{{0}}}), IsEmpty());
  problem.stops[0].closes = 9;
  EXPECT_THAT(ViolationsOf(problem, {{{0}}}),
              ElementsAre("route 1: stop 0 is served at 10, after its window closed at 9"));
  problem.stops[0].closes = 10;
  problem.depot_closes = 19;
  EXPECT_THAT(ViolationsOf(problem, {{{0}}}),
              ElementsAre("route 1: back at the depot at 20, after it closed at 19"));
}

TEST(Simulate, LoadsBeyondCapacityOrBelowZeroAreViolations) {
  EXPECT_THAT(ViolationsOf(Street({10, 20}, 1, 1), {{{0, 1}}}),
              ElementsAre("route 1: stop 1 brings the load to 2, beyond capacity 1"));
  EXPECT_THAT(ViolationsOf(PairStreet({10, 20}, 1, 1), {{{1, 0}}}),
              ElementsAre("route 1: stop 1 brings the load to -1",
                          "route 1: delivers stop 1 before it picks up stop 0"));
}

TEST(Simulate, APairIsServedByOneVehicleAndWhole) {
  Problem problem = PairStreet({10, 20}, 1, 2);
  problem.stops[0].load = problem.stops[1].load = 0;
  EXPECT_THAT(ViolationsOf(problem, {{{0, 1}}}), IsEmpty());
  EXPECT_THAT(ViolationsOf(problem, {{{0}, {1}}}),
              ElementsAre("route 1: picks up stop 0 and route 2 delivers stop 1"));
  EXPECT_THAT(ViolationsOf(problem, {{{0}}}),
              ElementsAre("route 1: picks up stop 0 and nobody delivers stop 1"));
  EXPECT_THAT(ViolationsOf(problem, {{{1}}}),
              ElementsAre("route 1: delivers stop 1 and nobody picks up stop 0"));
  EXPECT_EQ(Simulate(problem, {{{1}}}).cost.unserved, 1);
}

TEST(Simulate, AStopIsVisitedOnce) {
  EXPECT_THAT(ViolationsOf(Street({10}, 2, 2), {{{0}, {0}}}),
              ElementsAre("route 2: stop 0 is visited again, after route 1"));
}

TEST(Simulate, UnknownStopsAndEmptyRoutesAreViolations) {
  EXPECT_THAT(ViolationsOf(Street({10}, 1, 3), {{{0, 7}, {}, {-1}}}),
              ElementsAre("route 1: there is no stop 7", "route 2: is empty",
                          "route 3: there is no stop -1"));
}

TEST(Simulate, WhatIsLeftOutIsCountedAndIsNoViolation) {
  const Simulation simulation = Simulate(Street({10, 20, 30}, 1, 3), {{{1}}});
  EXPECT_THAT(simulation.violations, IsEmpty());
  EXPECT_EQ(simulation.cost.unserved, 2);
}

TEST(Simulate, VehiclesBeyondTheFreeOnesCostOrAreForbidden) {
  Problem problem = Street({10, 20, 30}, 1, 1);
  const Plan plan = {{{0}, {1}, {2}}};
  EXPECT_THAT(ViolationsOf(problem, plan),
              ElementsAre("fleet: the plan takes 3 vehicles, there are 1"));
  problem.fleet.hard = false;
  problem.fleet.extra_vehicle_cost = 50;
  const Simulation simulation = Simulate(problem, plan);
  EXPECT_THAT(simulation.violations, IsEmpty());
  EXPECT_EQ(simulation.cost.extra_vehicles, 100);
  EXPECT_EQ(simulation.cost.total(), 220);
}

TEST(Simulate, TimesBeyondTicksAreClampedNotWrapped) {
  Problem problem = Street({10, 20, 30, 40, 50, 60}, 9, 1);
  for (Stop& stop : problem.stops) stop.service = kMaxTicks;
  const Simulation simulation = Simulate(problem, {{{0, 1, 2, 3, 4, 5}}});
  EXPECT_EQ(simulation.returns[0], INT32_MAX);
  EXPECT_FALSE(simulation.violations.empty());
}

}  // namespace
}  // namespace dray
