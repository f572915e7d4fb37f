#include "src/envs/dvrptw/planning/sketch.h"

#include <gtest/gtest.h>

#include "src/oracle/insertion.h"
#include "tests/envs/dvrptw/planning/a_day.h"

namespace dray::dvrptw {
namespace {

constexpr double kWeight = 0.05;

// The problem of a day with further trips agreed on.
struct Growing {
  explicit Growing(const ADay& a)
      : world(*a.world), problem(a.day.own.problem), sketch(*a.world, kWeight) {
    sketch.Load(problem, a.day.own.plan);
  }

  void Add(const Trip& trip, const ShiftRange& shifts) {
    const Sketch::Seat seat = sketch.Cheapest(trip, shifts);
    ASSERT_TRUE(seat.possible());
    AddRequest(Shifted(trip, seat.action), world.service, problem);
    sketch.Add(trip, seat);
  }

  // Drives the sketched plan in the problem: everybody served in time, at the cost it says.
  void ExpectTrue() const {
    const Simulation driven = Simulate(problem, sketch.ToPlan());
    EXPECT_TRUE(driven.violations.empty()) << driven.violations.size();
    EXPECT_EQ(driven.cost.unserved, 0);
    EXPECT_EQ(driven.cost.total(), sketch.cost());
    EXPECT_EQ(driven.cost.vehicles, sketch.vehicles());
  }

  const World& world;
  Problem problem;
  Sketch sketch;
};

DvrptwConfig WithService() {
  DvrptwConfig config;
  config.set_service_time(2);
  config.set_asymmetric(true);
  config.set_free_vehicles(2);
  return config;
}

TEST(Sketch, PricesEveryShiftAsTheInsertionOracleDoes) {
  for (const int requests : {0, 1, 7, 15, 29}) {
    ADay a(requests, static_cast<uint64_t>(requests), WithService());
    const Trip asked = a.day.asked();
    Problem problem = a.day.own.problem;
    AddRequest(asked, a.world->service, problem);
    PricedInsertion exact;
    exact.Load(problem, a.day.own.plan);
    std::array<int64_t, kShiftActions> costs;
    exact.Price(requests, WindowsByAction(asked), costs);
    Sketch sketch(*a.world, kWeight);
    sketch.Load(a.day.own.problem, a.day.own.plan);
    EXPECT_EQ(sketch.cost(), a.day.own.cost);
    double best = Sketch::kImpossible;
    for (int action = 0; action < kShiftActions; ++action) {
      const auto expected = static_cast<double>(costs[static_cast<size_t>(action)]) +
                            kTicksPerMinute * PatiencePenalty(action, kWeight);
      EXPECT_NEAR(sketch.Cheapest(asked, ShiftRange::Of(action)).price, expected, 1e-6) << action;
      best = std::min(best, expected);
    }
    // All at once: the cheapest of them.
    EXPECT_NEAR(sketch.Cheapest(asked, ShiftRange::Of(Flexibility::kBoth)).price, best, 1e-6);
  }
}

TEST(Sketch, APlanThatGrowsAndIsImprovedCanBeDrivenAtTheCostItSays) {
  for (uint64_t episode = 0; episode < 20; ++episode) {
    ADay a(static_cast<int>(episode), episode, episode % 2 == 0 ? DvrptwConfig() : WithService());
    Growing growing(a);
    for (const Arrival& arrival : a.day.arrivals().subspan(static_cast<size_t>(a.day.step()))) {
      const Rider& rider = a.world->riders[static_cast<size_t>(arrival.rider)];
      growing.Add(rider.pool[static_cast<size_t>(arrival.trip)], ShiftRange::Of(rider.type));
    }
    growing.ExpectTrue();
    const int64_t inserted = growing.sketch.cost();
    growing.sketch.Improve();
    growing.ExpectTrue();
    const int64_t improved = growing.sketch.cost();
    EXPECT_LT(improved, inserted);
    Rng rng(episode, RngPurpose::kTest, 0);
    growing.sketch.RuinAndRecreate(30, rng);
    growing.ExpectTrue();
    EXPECT_LE(growing.sketch.cost(), improved);
  }
}

TEST(Sketch, KeepsCountOfThePatienceOfWhatIsAgreedAndOfWhatIsOpen) {
  constexpr double kWeight = 0.05;
  const auto world = MakeWorld({});
  Sketch plan(*world, kWeight);
  Rng rng(3, RngPurpose::kTest, 0);
  double agreed = 0;
  for (size_t i = 0; i < world->riders.size(); ++i) {
    const Trip& trip = world->riders[i].pool[0];
    const ShiftRange shifts = ShiftRange::Of(Flexibility::kBoth);
    const Sketch::Seat seat = plan.Cheapest(trip, shifts);
    if (i % 2 == 0) {
      plan.Add(trip, seat);
      agreed += PatiencePenalty(seat.action, kWeight);
    } else {
      plan.AddOpen(trip, seat, shifts);
    }
  }
  const double objective = static_cast<double>(plan.cost()) + plan.patience();
  plan.RuinAndRecreate(100, rng);
  EXPECT_LT(static_cast<double>(plan.cost()) + plan.patience(), objective);
  // What was agreed on stays so, and is paid for.
  EXPECT_GE(plan.patience() / kTicksPerMinute, agreed - 1e-9);
}

TEST(Sketch, ImprovingAnImprovedPlanChangesNothing) {
  ADay a(25);
  Growing growing(a);
  growing.sketch.Improve();
  const Plan once = growing.sketch.ToPlan();
  growing.sketch.Improve();
  EXPECT_EQ(growing.sketch.ToPlan().routes, once.routes);
}

TEST(Sketch, ACopyIsItsOwn) {
  ADay a(10);
  Growing growing(a);
  const Sketch copy = growing.sketch;
  growing.Add(a.day.asked(), ShiftRange::Of(kNoShift));
  growing.ExpectTrue();
  EXPECT_EQ(copy.cost(), a.day.own.cost);
  EXPECT_EQ(copy.ToPlan().routes, a.day.own.plan.routes);
}

TEST(Sketch, AHardFleetThatIsUsedUpTakesNobodyWhoNeedsAVehicle) {
  DvrptwConfig config;
  config.set_hard_fleet(true);
  config.set_free_vehicles(1);
  const auto world = MakeWorld(config);
  Sketch sketch(*world, kWeight);
  Trip trip = world->riders[0].pool[0];
  int added = 0;
  while (added < 10) {
    const Sketch::Seat seat = sketch.Cheapest(trip, ShiftRange::Of(kNoShift));
    if (!seat.possible()) break;
    sketch.Add(trip, seat);
    ++added;
  }
  EXPECT_EQ(added, world->fleet.capacity);  // the same ride for all of them
  EXPECT_EQ(sketch.vehicles(), 1);
}

TEST(Sketch, SlackIsHowLateEveryVisitCouldBe) {
  const auto world = MakeWorld({});
  Sketch sketch(*world, kWeight);
  EXPECT_EQ(sketch.MeanSlack(), 0);
  const Trip& trip = world->riders[0].pool[0];
  sketch.Add(trip, sketch.Cheapest(trip, ShiftRange::Of(kNoShift)));
  // Both windows are half an hour wide, and the vehicle is there when they open.
  EXPECT_EQ(sketch.MeanSlack(), 30 * kTicksPerMinute);
}

}  // namespace
}  // namespace dray::dvrptw
