#include "src/envs/dvrptw/planning/futures.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/envs/dvrptw/planning/a_day.h"

namespace dray::dvrptw {
namespace {

Rng RngAt(const Day& day, uint32_t stream) {
  return delivery::DecisionRng(day.key(), day.step(), stream);
}

TEST(PendingRiders, AreThoseWhoHaveNotAskedYet) {
  const ADay a(12);
  const std::vector<int> pending = PendingRiders(*a.world, a.day);
  EXPECT_EQ(pending.size(), 17u);
  std::set<int> riders(pending.begin(), pending.end());
  for (const Arrival& arrival : a.day.arrivals()) riders.insert(arrival.rider);
  EXPECT_EQ(riders.size(), 30u);
  EXPECT_EQ(std::ranges::count(pending, a.day.arrival().rider), 0);
}

TEST(DrawFuture, HasEveryPendingRiderOnceWithATripOfItsPool) {
  const ADay a(12);
  std::vector<int> pending = PendingRiders(*a.world, a.day);
  Rng rng = RngAt(a.day, 0);
  Future future;
  DrawFuture(*a.world, a.TrueTypes(), pending, rng, future);
  std::set<int> riders;
  for (const FutureRequest& request : future) {
    const Rider& rider = a.world->riders[static_cast<size_t>(request.trip->rider)];
    EXPECT_GE(request.trip, rider.pool.data());
    EXPECT_LT(request.trip, rider.pool.data() + rider.pool.size());
    EXPECT_EQ(request.type, rider.type);
    riders.insert(request.trip->rider);
  }
  EXPECT_EQ(riders, std::set<int>(pending.begin(), pending.end()));
}

TEST(DrawFuture, DrawsTypesAsOftenAsTheyAreBelieved) {
  const ADay a(28);
  std::vector<int> pending = PendingRiders(*a.world, a.day);
  ASSERT_EQ(pending.size(), 1u);
  std::vector<TypeBelief> beliefs(30, {0.5f, 0.0f, 0.2f, 0.3f});
  Rng rng = RngAt(a.day, 0);
  std::map<Flexibility, int> counts;
  Future future;
  for (int i = 0; i < 10000; ++i) {
    DrawFuture(*a.world, beliefs, pending, rng, future);
    ++counts[future[0].type];
  }
  EXPECT_NEAR(counts[Flexibility::kLateDropoff], 5000, 200);
  EXPECT_EQ(counts[Flexibility::kEarlyPickup], 0);
  EXPECT_NEAR(counts[Flexibility::kNone], 2000, 160);
  EXPECT_NEAR(counts[Flexibility::kBoth], 3000, 180);
}

TEST(DecisionRng, DiffersByDayStepAndStreamAndRepeats) {
  const ADay a(3), b(4), other_day(3, 1);
  EXPECT_EQ(RngAt(a.day, 0).Next64(), RngAt(a.day, 0).Next64());
  std::set<uint64_t> firsts;
  for (const ADay* day : {&a, &b, &other_day}) {
    for (uint32_t stream = 0; stream < 3; ++stream) {
      firsts.insert(RngAt(day->day, stream).Next64());
    }
  }
  EXPECT_EQ(firsts.size(), 9u);
}

}  // namespace
}  // namespace dray::dvrptw
