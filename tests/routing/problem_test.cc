#include "src/routing/problem.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/config/error_text.h"
#include "tests/routing/street.h"

namespace dray {
namespace {

// The error of a good problem after one change.
std::string ErrorAfter(const std::function<void(Problem&)>& change, bool paired = false) {
  Problem problem = paired ? PairStreet({10, 20}, 2, 2) : Street({10, 20}, 2, 2);
  Validate(problem, "x");
  change(problem);
  return UsageErrorOf([&] { Validate(problem, "x"); });
}

TEST(Problem, TicksReadAsUnits) {
  EXPECT_EQ(FormatTicks(1913, 10), "191.3");
  EXPECT_EQ(FormatTicks(-5, 10), "-0.5");
  EXPECT_EQ(FormatTicks(828937, 1000), "828.937");
  EXPECT_EQ(FormatTicks(1005, 1000), "1.005");
  EXPECT_EQ(FormatTicks(42, 1), "42");
  EXPECT_EQ(FormatTicks(3, 2), "1.5");
}

TEST(Problem, AStopKnowsItsRequest) {
  EXPECT_EQ(Street({1, 2}, 1, 1).RequestOfStop(), (std::vector<int>{0, 1}));
  EXPECT_EQ(PairStreet({1, 2, 3, 4}, 1, 1).RequestOfStop(), (std::vector<int>{0, 0, 1, 1}));
}

TEST(Problem, AWindowMustOpenBeforeItCloses) {
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[1].opens = 1001; }),
            "x: stop 1: closes: the window closes at 1000, before it opens at 1001; swap or "
            "fix them");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.depot_opens = 2000; }),
            "x: depot_closes: the depot closes at 1000, before it opens at 2000; swap or "
            "fix them");
}

TEST(Problem, APlaceMustExist) {
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[0].place = 3; }),
            "x: stop 0: place: there is no place 3; the travel matrix has 3 places, counted from "
            "0");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.depot = -1; }),
            "x: depot: there is no place -1; the travel matrix has 3 places, counted from 0");
}

TEST(Problem, CapacityMustBeAboveZeroAndEnough) {
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.fleet.capacity = 0; }),
            "x: capacity: must be from 1 to 1000000000, found 0; give every vehicle some room");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[0].load = 3; }),
            "x: stop 0: load: 3 is more than a vehicle holds (2); split it or raise the capacity");
}

TEST(Problem, AHardFleetHasAVehicle) {
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.fleet.free_vehicles = 0; }),
            "x: free_vehicles: must be at least 1, found 0; give the fleet a vehicle");
  Problem soft = Street({10}, 1, 0);
  soft.fleet.hard = false;
  EXPECT_NO_THROW(Validate(soft, "x"));
}

TEST(Problem, LoadsOfAPairCancelOut) {
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[1].load = -2; }, /*paired=*/true),
            "x: stop 1: load: a delivery drops off what its pickup (stop 0) took: expected -1, "
            "found -2");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[1].load = -1; }),
            "x: stop 1: load: must not be negative, found -1; what is dropped off needs a pickup");
}

TEST(Problem, AStopBelongsToOneRequest) {
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.requests.pop_back(); }),
            "x: stop 1: requests: belongs to 0 requests; each stop belongs to one");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.requests[0].delivery = 1; }),
            "x: stop 1: requests: belongs to 2 requests; each stop belongs to one");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.requests[0].pickup = 2; }),
            "x: requests: request 0 names a stop that does not exist; there are 2 stops, counted "
            "from 0");
}

TEST(Problem, TravelTimesAreNotNegative) {
  EXPECT_EQ(ErrorAfter([](Problem& p) {
              p.travel = TravelMatrix(3, {0, 1, 1, 1, 0, -4, 1, 1, 0});
            }),
            "x: travel: from place 1 to place 2 must be from 0 to 500000000, found -4; fix the "
            "matrix");
}

TEST(Problem, NobodyDrivesFromTheDepotToItself) {
  EXPECT_EQ(ErrorAfter([](Problem& p) {
              p.travel = TravelMatrix(3, {4, 1, 1, 1, 0, 1, 1, 1, 0});
            }),
            "x: travel: from the depot to itself must be 0, found 4; fix the matrix");
}

TEST(TravelMatrix, ItsFingerprintIsThatOfItsTimes) {
  const TravelMatrix matrix(2, {0, 1, 2, 0});
  EXPECT_EQ(matrix.fingerprint(), TravelMatrix(2, {0, 1, 2, 0}).fingerprint());
  EXPECT_NE(matrix.fingerprint(), TravelMatrix(2, {0, 2, 1, 0}).fingerprint());
}

TEST(Problem, ARequestMustBeServableByAVehicleOfItsOwn) {
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[1].closes = 19; }),
            "x: stop 1: closes: no vehicle can serve it: driving straight there it arrives at 20, "
            "after the window closed at 19; widen the window");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[1].opens = 981; }),
            "x: stop 1: opens: no vehicle can serve it: driving straight back it is at the depot "
            "at 1001, after that closed at 1000; open earlier, or keep the depot open longer");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[0].opens = 995, p.stops[1].closes = 1000; },
                       /*paired=*/true),
            "x: stop 1: closes: no vehicle can serve it: driving straight there it arrives at "
            "1005, after the window closed at 1000; widen the window");
}

TEST(Problem, ServiceTimesAndCostsStayWithinTicks) {
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[0].service = -1; }),
            "x: stop 0: service: must be from 0 to 500000000, found -1; 0 is no service time");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.fleet.extra_vehicle_cost = -1; }),
            "x: extra_vehicle_cost: must be from 0 to 500000000 ticks, found -1; choose a cost in "
            "that range");
  EXPECT_EQ(ErrorAfter([](Problem& p) { p.stops[0].closes = kMaxTicks + 1; }),
            "x: stop 0: closes: times go up to 500000000 ticks; use a coarser unit");
}

}  // namespace
}  // namespace dray
