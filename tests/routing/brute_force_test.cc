#include "tests/routing/brute_force.h"

#include <gtest/gtest.h>

#include "tests/routing/street.h"

namespace dray {
namespace {

TEST(BruteForce, TwoByTwoTheFarthestGoTogether) {
  // 30 and 20 on one route: 60; 10 alone: 20.
  const BruteForceAnswer answer = BruteForce(Street({10, 20, 30}, /*capacity=*/2, /*vehicles=*/2));
  EXPECT_EQ(answer.cost.total(), 80);
  EXPECT_EQ(answer.cost.vehicles, 2);
  EXPECT_EQ(answer.cost.unserved, 0);
}

TEST(BruteForce, AHardFleetServesAllItCanAndThenAsCheaplyAsItCan) {
  const BruteForceAnswer answer = BruteForce(Street({10, 20, 30}, /*capacity=*/2, /*vehicles=*/1));
  EXPECT_EQ(answer.cost.unserved, 1);
  EXPECT_EQ(answer.cost.total(), 40);  // 10 and 20
}

TEST(BruteForce, AnExtraVehicleIsTakenWhenItIsWorthIt) {
  // Both sides of the street at once: the second customer's window allows no detour.
  Problem problem = Street({10, -10}, /*capacity=*/2, /*vehicles=*/1);
  problem.fleet.hard = false;
  problem.fleet.extra_vehicle_cost = 50;
  EXPECT_EQ(BruteForce(problem).cost.total(), 40);
  problem.stops[0].closes = problem.stops[1].closes = 10;
  const BruteForceAnswer answer = BruteForce(problem);
  EXPECT_EQ(answer.cost.total(), 90);
  EXPECT_EQ(answer.cost.extra_vehicles, 50);
}

TEST(BruteForce, PairsGoInOrderOnOneRoute) {
  // 30 to 10 and 20 to 40: by 20, 40, 30, 10, whatever the capacity.
  EXPECT_EQ(BruteForce(PairStreet({30, 10, 20, 40}, /*capacity=*/1, 1)).cost.total(), 80);
  // 30 to 10 and 40 to 20: both on board at 30 on the way back, or one after the other.
  EXPECT_EQ(BruteForce(PairStreet({30, 10, 40, 20}, /*capacity=*/2, 1)).cost.total(), 80);
  EXPECT_EQ(BruteForce(PairStreet({30, 10, 40, 20}, /*capacity=*/1, 1)).cost.total(), 100);
}

TEST(BruteForce, NothingToServeCostsNothing) {
  EXPECT_EQ(BruteForce(Street({}, 1, 1)).cost.total(), 0);
}

}  // namespace
}  // namespace dray
