#include "src/routing/problem_json.h"

#include <gtest/gtest.h>

#include "src/base/json.h"
#include "tests/routing/street.h"

namespace dray {
namespace {

TEST(ProblemJson, ACityHasItsTravelTimesDepotAndFleet) {
  Problem problem = PairStreet({10, 20}, /*capacity=*/4, /*vehicles=*/5);
  problem.fleet.hard = false;
  problem.fleet.extra_vehicle_cost = 500;
  EXPECT_EQ(
      JsonText(CityJson(problem)),
      "{\"places\":3,\"depot\":0,\"depot_window\":[0,1000],\"capacity\":4,\"free_vehicles\":5,"
      "\"extra_vehicle_cost\":500,\"ticks_per_unit\":1,\"travel\":[0,10,20,10,0,10,20,10,0]}");
}

TEST(ProblemJson, AHardFleetHasNoFurtherVehiclesAtAnyCost) {
  EXPECT_TRUE(CityJson(Street({10}, 1, 1))["extra_vehicle_cost"].is_null());
}

TEST(ProblemJson, StopsRequestsAndRoutesAreLists) {
  Problem problem = PairStreet({10, 20}, /*capacity=*/4, /*vehicles=*/5);
  problem.stops[0].service = 7;
  EXPECT_EQ(JsonText(ProblemJson(problem)),
            "{\"stops\":[[1,0,1000,7,1],[2,0,1000,0,-1]],\"requests\":[[0,1]]}");
  EXPECT_EQ(JsonText(PlanJson({.routes = {{0, 1}, {2}}})), "[[0,1],[2]]");
  EXPECT_EQ(JsonText(PlanJson({})), "[]");
}

}  // namespace
}  // namespace dray
