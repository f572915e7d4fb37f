#include "src/envs/dvrptw/riders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace dray::dvrptw {
namespace {

Trip MakeTrip(int rider) {
  Trip trip;
  trip.rider = rider;
  trip.destination = 1;
  return trip;
}

class Riders : public ::testing::Test {
 protected:
  static std::array<int, kFlexibilityTypes> TypeCounts(const std::vector<Rider>& riders) {
    std::array<int, kFlexibilityTypes> counts{};
    for (const Rider& rider : riders) ++counts[static_cast<size_t>(rider.type)];
    return counts;
  }

  const City city_ = GenerateCity(1, 207, /*asymmetric=*/false);
};

TEST_F(Riders, HavePoolsOfTripsWithWindowsOfHalfAnHour) {
  const auto riders = GenerateRiders(city_, 30, delivery::UNIFORM, /*seed=*/1);
  ASSERT_EQ(riders.size(), 30u);
  for (const Rider& rider : riders) {
    ASSERT_EQ(rider.pool.size(), 52u);
    EXPECT_EQ(std::set<int>(rider.anchors.begin(), rider.anchors.end()).size(), 3u);
    for (const Trip& trip : rider.pool) {
      const Ticks ride = city_.travel(trip.origin, trip.destination);
      EXPECT_NE(trip.origin, trip.destination);
      EXPECT_EQ(trip.pickup_early % 300, 0);
      EXPECT_GE(trip.pickup_early, 6 * 600);
      EXPECT_LE(trip.pickup_early, 19 * 600 + 300);
      EXPECT_EQ(trip.pickup_late, trip.pickup_early + 300);
      EXPECT_EQ(trip.dropoff_early, trip.pickup_early + ride);
      EXPECT_EQ(trip.dropoff_late, trip.pickup_late + ride);
    }
  }
}

TEST_F(Riders, MostTripsAreBetweenAnchorsAndAllTouchOne) {
  const auto riders = GenerateRiders(city_, 200, delivery::UNIFORM, 2);
  int between = 0;
  for (const Rider& rider : riders) {
    const auto is_anchor = [&](int place) {
      return std::ranges::find(rider.anchors, place) != rider.anchors.end();
    };
    for (const Trip& trip : rider.pool) {
      ASSERT_TRUE(is_anchor(trip.origin) || is_anchor(trip.destination));
      between += is_anchor(trip.origin) && is_anchor(trip.destination);
    }
  }
  // 70 %, and the random place is an anchor by chance 2 times in 206.
  EXPECT_NEAR(between / (200.0 * 52), 0.7 + 0.3 * 2 / 206, 0.015);
}

TEST_F(Riders, HoursFollowTheirWeights) {
  const std::vector<double> weights = {82,  118, 108, 128, 130, 125, 85,
                                       113, 117, 87,  79,  125, 133, 76};
  const auto riders = GenerateRiders(city_, 200, delivery::UNIFORM, 3);
  std::vector<int> hours(14), halves(2);
  for (const Rider& rider : riders) {
    for (const Trip& trip : rider.pool) {
      ++hours[trip.pickup_early / 600 - 6];
      ++halves[trip.pickup_early / 300 % 2];
    }
  }
  const double trips = 200 * 52, total = 1506;
  for (int hour = 0; hour < 14; ++hour) {
    const double expected = trips * weights[hour] / total;
    EXPECT_NEAR(hours[hour], expected, 4 * std::sqrt(expected)) << hour + 6 << " h";
  }
  EXPECT_NEAR(halves[0] / trips, 0.5, 0.02);
}

TEST_F(Riders, TypesAreUniformOrAsSurveyed) {
  for (const int count : TypeCounts(GenerateRiders(city_, 200, delivery::UNIFORM, 1))) {
    EXPECT_NEAR(count, 50, 20);
  }
  EXPECT_EQ(TypeCounts(GenerateRiders(city_, 30, delivery::SURVEYED, 1)),
            (std::array<int, 4>{8, 13, 6, 3}));
  EXPECT_EQ(TypeCounts(GenerateRiders(city_, 60, delivery::SURVEYED, 1)),
            (std::array<int, 4>{16, 26, 12, 6}));
  // 1.33, 2.17, 1, 0.5: the last has the largest remainder.
  EXPECT_EQ(TypeCounts(GenerateRiders(city_, 5, delivery::SURVEYED, 1)),
            (std::array<int, 4>{1, 2, 1, 1}));
}

TEST_F(Riders, OneSeedIsOneSetOfRidersWhateverTheirNumber) {
  const auto few = GenerateRiders(city_, 5, delivery::UNIFORM, 9);
  const auto many = GenerateRiders(city_, 200, delivery::UNIFORM, 9);
  for (size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].type, many[i].type);
    EXPECT_EQ(few[i].anchors, many[i].anchors);
    EXPECT_EQ(few[i].pool, many[i].pool);
  }
}

TEST_F(Riders, HeldOutRidersAreOthers) {
  const auto met = GenerateRiders(city_, 30, delivery::UNIFORM, 1);
  const auto held_out = GenerateRiders(city_, 30, delivery::UNIFORM, HeldOutSeed(1));
  for (size_t i = 0; i < met.size(); ++i) EXPECT_NE(met[i].pool, held_out[i].pool);
}

TEST_F(Riders, OfAFileHaveItsTripsAndTheTypesItTells) {
  TripTable table;
  table.riders = {"ann", "bob", "cy"};
  table.flexibility = {3, -1, 0};
  for (const int rider : {1, 0, 1, 2}) {
    table.trips.push_back(MakeTrip(rider));
  }
  const auto riders = RidersFromTrips(table, /*seed=*/1);
  ASSERT_EQ(riders.size(), 3u);
  EXPECT_EQ(riders[0].type, Flexibility::kBoth);
  EXPECT_EQ(riders[2].type, Flexibility::kLateDropoff);
  EXPECT_EQ(riders[0].pool, std::vector<Trip>{table.trips[1]});
  EXPECT_EQ(riders[1].pool, (std::vector<Trip>{table.trips[0], table.trips[2]}));
  // The untold type is any, and the same each time.
  EXPECT_EQ(RidersFromTrips(table, 1)[1].type, riders[1].type);
  std::set<Flexibility> drawn;
  for (uint64_t seed = 0; seed < 50; ++seed) drawn.insert(RidersFromTrips(table, seed)[1].type);
  EXPECT_EQ(drawn.size(), 4u);
}

TEST_F(Riders, RidesTakeAboutAsLongAsRealOnes) {
  double total_min = 0;
  for (const Rider& rider : GenerateRiders(city_, 200, delivery::UNIFORM, 4)) {
    for (const Trip& trip : rider.pool) {
      total_min += city_.travel(trip.origin, trip.destination) / 10.0;
    }
  }
  EXPECT_NEAR(total_min / (200 * 52), 20.3, 1.5);
}

}  // namespace
}  // namespace dray::dvrptw
