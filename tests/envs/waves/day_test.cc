#include "src/envs/waves/day.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "src/base/error.h"
#include "tests/envs/waves/town.h"

namespace dray::waves {
namespace {

constexpr uint64_t kSeed = 7;

// Recorded from the competition's environment: what is open in each epoch of the town's day 7 if
// only requests that must go are dispatched, each on a route of its own. Windows count from the
// departure and are cut off at 0, as in its observations.
struct Open {
  int epoch, id, place;
  Ticks opens, closes, service;
  int load;
  bool must_go;
};
constexpr Open kOpen[] = {
    {1, 1, 8, 10800, 14400, 300, 2, false}, {1, 2, 6, 0, 14400, 240, 5, false},
    {1, 3, 6, 0, 3600, 360, 8, true},       {1, 4, 8, 1800, 7200, 600, 9, false},
    {1, 5, 5, 1800, 7200, 600, 7, false},   {1, 6, 7, 10800, 14400, 600, 9, false},
    {2, 1, 8, 7200, 10800, 300, 2, false},  {2, 2, 6, 0, 10800, 240, 5, false},
    {2, 4, 8, 0, 3600, 600, 9, true},       {2, 5, 5, 0, 3600, 600, 7, true},
    {2, 6, 7, 7200, 10800, 600, 9, false},  {2, 7, 6, 3600, 7200, 360, 4, false},
    {2, 8, 3, 3600, 7200, 120, 6, false},   {2, 9, 8, 3600, 7200, 360, 3, false},
    {2, 10, 4, 7200, 10800, 300, 8, false}, {2, 11, 5, 7200, 10800, 300, 7, false},
    {3, 1, 8, 3600, 7200, 300, 2, false},   {3, 2, 6, 0, 7200, 240, 5, false},
    {3, 6, 7, 3600, 7200, 600, 9, false},   {3, 7, 6, 0, 3600, 360, 4, true},
    {3, 8, 3, 0, 3600, 120, 6, true},       {3, 9, 8, 0, 3600, 360, 3, true},
    {3, 10, 4, 3600, 7200, 300, 8, false},  {3, 11, 5, 3600, 7200, 300, 7, false},
    {3, 12, 4, 3600, 7200, 300, 3, false},  {3, 13, 2, 3600, 7200, 60, 8, false},
    {3, 14, 5, 1800, 7200, 420, 7, false},  {3, 15, 4, 0, 3600, 120, 5, true},
    {4, 1, 8, 0, 3600, 300, 2, true},       {4, 2, 6, 0, 3600, 240, 5, true},
    {4, 6, 7, 0, 3600, 600, 9, true},       {4, 10, 4, 0, 3600, 300, 8, true},
    {4, 11, 5, 0, 3600, 300, 7, true},      {4, 12, 4, 0, 3600, 300, 3, true},
    {4, 13, 2, 0, 3600, 60, 8, true},       {4, 14, 5, 0, 3600, 420, 7, true},
    {4, 16, 6, 0, 3600, 300, 7, true},      {4, 17, 3, 0, 3600, 420, 6, true},
};
constexpr int64_t kCosts[] = {2113, 4630, 9066, 24111};  // driving time of each epoch

Routes MustGoAlone(const Day& day) {
  Routes routes;
  for (const Request& request : day.open()) {
    if (request.must_go) routes.push_back({request.id});
  }
  return routes;
}

std::string FaultOf(const Day& day, const Routes& routes) {
  return day.FindFault(routes).value_or("");
}

// A day in epoch 4, where all of 1, 2, 6, 10 to 14, 16 and 17 must go.
Day LastEpoch() {
  Day day(Town(), kSeed);
  while (!day.last_epoch()) day.Dispatch(MustGoAlone(day));
  return day;
}

TEST(Day, IsThatOfTheCompetition) {
  Day day(Town(), kSeed);
  const Open* open = kOpen;
  for (const int64_t cost : kCosts) {
    for (const Request& request : day.open()) {
      ASSERT_NE(open, std::end(kOpen));
      EXPECT_EQ(day.epoch(), open->epoch);
      EXPECT_EQ(request.id, open->id);
      EXPECT_EQ(request.place, open->place) << request.id;
      EXPECT_EQ(std::max(request.opens - day.departure(), 0), open->opens) << request.id;
      EXPECT_EQ(std::max(request.closes - day.departure(), 0), open->closes) << request.id;
      EXPECT_EQ(request.service, open->service) << request.id;
      EXPECT_EQ(request.load, open->load) << request.id;
      EXPECT_EQ(request.must_go, open->must_go) << request.id;
      ++open;
    }
    const int64_t before = day.cost();
    day.Dispatch(MustGoAlone(day));
    EXPECT_EQ(day.cost() - before, cost);
  }
  EXPECT_EQ(open, std::end(kOpen));
  EXPECT_TRUE(day.done());
  EXPECT_TRUE(day.open().empty());
}

TEST(Day, RequestsDoNotDependOnDecisions) {
  Day lazy(Town(), kSeed), greedy(Town(), kSeed);
  while (!lazy.done()) {
    lazy.Dispatch(MustGoAlone(lazy));
    Routes all;
    for (const Request& request : greedy.open()) all.push_back({request.id});
    greedy.Dispatch(all);
  }
  ASSERT_EQ(lazy.arrived().size(), greedy.arrived().size());
  for (size_t i = 0; i < lazy.arrived().size(); ++i) {
    EXPECT_EQ(lazy.arrived()[i], greedy.arrived()[i]);
  }
}

TEST(Day, EveryOpenRequestCanBeServedOnARouteOfItsOwn) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Day day(Town(), seed);
    while (!day.done()) {
      Routes routes = MustGoAlone(day);
      for (const Request& request : day.open()) {
        if (!request.must_go) routes.push_back({request.id});
        ASSERT_EQ(FaultOf(day, routes), "") << seed;
        if (!request.must_go) routes.pop_back();
      }
      day.Dispatch(routes);
    }
  }
}

TEST(Day, CostsTheDrivingOfItsRoutes) {
  const Day day(Town(), kSeed);
  const TravelMatrix& travel = day.instance().travel;
  // Requests 1 and 2 are at places 8 and 6.
  EXPECT_EQ(day.DrivingTime({{1, 2}}), travel(0, 8) + travel(8, 6) + travel(6, 0));
  EXPECT_EQ(day.DrivingTime({}), 0);
}

TEST(Day, SaysWhichRequestBreaksARule) {
  const Day day(Town(), kSeed);
  EXPECT_EQ(FaultOf(day, {{3}}), "");
  EXPECT_EQ(FaultOf(day, {{1}}), "request 3 must go in this epoch and is in no route");
  EXPECT_EQ(FaultOf(day, {{3}, {2, 3}}), "request 3 is visited twice");
  EXPECT_EQ(FaultOf(day, {{3}, {7}}), "request 7 is not open");
  EXPECT_EQ(FaultOf(day, {{3}, {}}), "a route is empty");
  EXPECT_EQ(FaultOf(day, {{3}, {2, 5, 4}}), "request 4 is more than a vehicle can carry: 21 of 20");
  EXPECT_EQ(FaultOf(day, {{1, 3}}), "request 3 is reached at 19647 s, after it closes at 10800 s");
}

TEST(Day, ForbiddenRoutesAreAnErrorAndChangeNothing) {
  Day day(Town(), kSeed);
  try {
    day.Dispatch({{1}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "epoch 1: request 3 must go in this epoch and is in no route");
  }
  EXPECT_EQ(day.epoch(), 1);
  EXPECT_EQ(day.cost(), 0);
}

TEST(Day, VehiclesAreBackBeforeTheDepotCloses) {
  Instance town = *Town();
  const Request request = LastEpoch().open()[0];
  EXPECT_TRUE(town.CanServe(request, town.Departure(4)));
  town.depot_closes = town.Departure(4);
  EXPECT_FALSE(town.CanServe(request, town.Departure(4)));
}

TEST(Day, AllMustGoInTheLastEpoch) {
  const Day day = LastEpoch();
  EXPECT_EQ(day.open().size(), 10u);
  EXPECT_TRUE(std::ranges::all_of(day.open(), &Request::must_go));
}

TEST(Day, ALoadedDayGoesOnAsTheSavedOne) {
  Day day(Town(), kSeed);
  day.Dispatch({{3}, {4, 1}});
  ByteWriter out;
  day.Save(out);
  ByteReader in(out.bytes(), "a day");
  Day loaded = Day::Load(Town(), in);
  in.ExpectEnd();
  EXPECT_EQ(loaded.epoch(), 2);
  while (!day.done()) {
    day.Dispatch(MustGoAlone(day));
    loaded.Dispatch(MustGoAlone(loaded));
  }
  EXPECT_EQ(loaded.cost(), day.cost());
}

TEST(Day, ADamagedDayIsAnError) {
  ByteWriter out;
  out.Put<uint64_t>(kSeed);
  out.Put<int32_t>(99);
  ByteReader in(out.bytes(), "a day");
  EXPECT_THROW(Day::Load(Town(), in), Error);
}

}  // namespace
}  // namespace dray::waves
