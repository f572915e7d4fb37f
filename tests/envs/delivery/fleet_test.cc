#include "src/envs/delivery/fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "tests/config/error_text.h"

namespace dray::delivery {
namespace {

constexpr FleetSettings kUsual = {.task = "dvrptw", .free_vehicles = 5, .extra_vehicle_cost = 50};

TEST(Fleet, AutoIsTheUsualCapacity) {
  FleetSettings settings = kUsual;
  EXPECT_EQ(MakeFleet(settings, 200, 10).capacity, 200);
  settings.capacity = 8;
  EXPECT_EQ(MakeFleet(settings, 200, 10).capacity, 8);
}

TEST(Fleet, AFurtherVehicleCostsTicksOfTheProblem) {
  FleetSettings settings = kUsual;
  settings.extra_vehicle_cost = 2.5;
  EXPECT_EQ(MakeFleet(settings, 4, 10).extra_vehicle_cost, 25);
  EXPECT_EQ(MakeFleet(settings, 4, 1000).extra_vehicle_cost, 2500);
}

TEST(Fleet, OneThatServesNobodyIsRefused) {
  FleetSettings settings = kUsual;
  settings.free_vehicles = 0;
  EXPECT_EQ(MakeFleet(settings, 4, 10).free_vehicles, 0);
  settings.hard = true;
  EXPECT_THAT(UsageErrorOf([&] { MakeFleet(settings, 4, 10); }),
              testing::StartsWith("env.dvrptw.free_vehicles: "));
}

}  // namespace
}  // namespace dray::delivery
