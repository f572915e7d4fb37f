#include "src/envs/delivery/fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray::delivery {
namespace {

TEST(Fleet, AutoIsTheUsualCapacity) {
  DvrptwConfig config;
  EXPECT_EQ(FleetOf(config, 200, 10).capacity, 200);
  config.set_capacity(8);
  EXPECT_EQ(FleetOf(config, 200, 10).capacity, 8);
}

TEST(Fleet, AFurtherVehicleCostsTicksOfTheProblem) {
  DvrptwConfig config;
  config.set_extra_vehicle_cost(2.5);
  EXPECT_EQ(FleetOf(config, 4, 10).extra_vehicle_cost, 25);
  EXPECT_EQ(FleetOf(config, 4, 1000).extra_vehicle_cost, 2500);
}

TEST(Fleet, OneThatServesNobodyIsRefused) {
  DvrptwConfig config;
  config.set_free_vehicles(0);
  EXPECT_EQ(FleetOf(config, 4, 10).free_vehicles, 0);
  config.set_hard_fleet(true);
  try {
    FleetOf(config, 4, 10);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("env.dvrptw.free_vehicles: "));
  }
}

}  // namespace
}  // namespace dray::delivery
