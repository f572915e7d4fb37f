#include "src/envs/dvrptw/planning/savings.h"

#include <gtest/gtest.h>

#include "tests/envs/dvrptw/planning/a_day.h"

namespace dray::dvrptw {
namespace {

TEST(PairSaving, TheSameRideTwiceSavesOneOfThem) {
  const auto world = MakeWorld({});
  const City& city = world->city;
  const Trip& trip = world->riders[0].pool[0];
  const Ticks alone = city.travel(city.depot, trip.origin) +
                      city.travel(trip.origin, trip.destination) +
                      city.travel(trip.destination, city.depot);
  EXPECT_DOUBLE_EQ(PairSaving(*world, trip, trip), Minutes(alone));
}

TEST(PairSaving, IsSymmetricAndNeverNegative) {
  const auto world = MakeWorld({});
  int shared = 0;
  for (size_t i = 0; i < 20; ++i) {
    for (size_t j = 0; j < 20; ++j) {
      const Trip& a = world->riders[i].pool[j];
      const Trip& b = world->riders[j].pool[i];
      const double saving = PairSaving(*world, a, b);
      EXPECT_DOUBLE_EQ(saving, PairSaving(*world, b, a));
      EXPECT_GE(saving, 0);
      shared += saving > 0;
    }
  }
  EXPECT_GT(shared, 0);
}

TEST(PairSaving, IsNothingWhenNoVehicleCanServeBoth) {
  const auto world = MakeWorld({});
  Trip there = world->riders[0].pool[0];
  there.pickup_late = there.pickup_early;
  there.dropoff_late = there.dropoff_early;
  // At the same minute from the other end.
  Trip back = there;
  std::swap(back.origin, back.destination);
  EXPECT_EQ(PairSaving(*world, there, back), 0);
}

}  // namespace
}  // namespace dray::dvrptw
