#include "src/envs/dvrptw_offer/planning/stop_sketch.h"

#include <gtest/gtest.h>

#include "src/oracle/insertion.h"
#include "tests/envs/dvrptw_offer/planning/a_day.h"

namespace dray::dvrptw_offer {
namespace {

constexpr char kFile[] = "tests/data/solomon/25/R208.txt";

// The problem of a day with further customers served.
struct Growing {
  explicit Growing(const ADay& a) : day(a.day), problem(a.day.own.problem) {
    sketch.Load(problem, a.day.own.plan);
  }

  // In whichever slot is cheapest; whether there is one.
  bool Add(const Stop& stop) {
    const SlotWindows windows = WindowsOf(day, stop);
    SlotSeats seats;
    sketch.Cheapest(stop, windows, seats);
    size_t best = 0;
    for (size_t slot = 1; slot < kSlots; ++slot) {
      if (seats[slot].price < seats[best].price) best = slot;
    }
    if (!seats[best].possible()) return false;
    problem.requests.push_back({static_cast<int>(problem.stops.size()), -1});
    problem.stops.push_back(Agreed(stop, windows[best]));
    sketch.Add(problem.stops.back(), seats[best]);
    return true;
  }
  int AddTheRest() {
    int added = 0;
    for (size_t i = static_cast<size_t>(day.step()); i < day.everybody().size(); ++i) {
      const auto stop = static_cast<size_t>(day.everybody()[i].stop);
      added += Add(day.stops().stops[stop]);
    }
    return added;
  }

  // Drives the sketched plan in the problem: everybody served in time, at the cost it says.
  void ExpectTrue() const {
    const Simulation driven = Simulate(problem, sketch.ToPlan());
    EXPECT_TRUE(driven.violations.empty()) << driven.violations.size();
    EXPECT_EQ(driven.cost.unserved, 0);
    EXPECT_EQ(driven.cost.total(), sketch.cost());
    EXPECT_EQ(driven.cost.vehicles, sketch.vehicles());
  }

  const Day& day;
  Problem problem;
  StopSketch sketch;
};

DvrptwOfferConfig OneVehicle() {
  DvrptwOfferConfig config = Offers(25);
  config.set_hard_fleet(true);
  config.set_free_vehicles(1);
  return config;
}

TEST(StopSketch, PricesEverySlotAsTheInsertionOracleDoes) {
  int impossible = 0;
  for (const DvrptwOfferConfig& config : {Offers(25), Offers(25, kFile), OneVehicle()}) {
    for (const int decided : {0, 1, 7, 15, 24}) {
      const ADay a(config, decided);
      Problem problem = a.day.own.problem;
      const int request = static_cast<int>(problem.requests.size());
      problem.requests.push_back({static_cast<int>(problem.stops.size()), -1});
      problem.stops.push_back(a.day.asked());
      PricedInsertion exact;
      exact.Load(problem, a.day.own.plan);
      StopSketch sketch;
      sketch.Load(a.day.own.problem, a.day.own.plan);
      EXPECT_EQ(sketch.cost(), a.day.own.cost);
      SlotSeats seats;
      sketch.Cheapest(a.day.asked(), WindowsOf(a.day, a.day.asked()), seats);
      for (int slot = 0; slot < kSlots; ++slot) {
        const RequestWindows window = a.day.WindowOf(a.day.asked(), slot);
        int64_t price = PricedInsertion::kImpossible;
        if (window.pickup_opens <= window.pickup_closes) {
          exact.Price(request, std::span(&window, 1), std::span(&price, 1));
        }
        const StopSketch::Seat& seat = seats[static_cast<size_t>(slot)];
        EXPECT_EQ(seat.possible() ? seat.price : PricedInsertion::kImpossible, price);
        impossible += !seat.possible();
      }
    }
  }
  EXPECT_GT(impossible, 10);
}

TEST(StopSketch, APlanThatGrowsAndIsImprovedCanBeDrivenAtTheCostItSays) {
  int by_moves = 0, by_rounds = 0;
  for (const DvrptwOfferConfig& config : {Offers(25), Offers(25, kFile), OneVehicle()}) {
    for (uint64_t episode = 0; episode < 20; ++episode) {
      const ADay a(config, static_cast<int>(episode), episode);
      Growing growing(a);
      growing.AddTheRest();
      growing.ExpectTrue();
      const int64_t inserted = growing.sketch.cost();
      growing.sketch.Improve();
      growing.ExpectTrue();
      const int64_t improved = growing.sketch.cost();
      EXPECT_LE(improved, inserted);
      Rng rng(episode, RngPurpose::kTest, 0);
      growing.sketch.RuinAndRecreate(30, rng);
      growing.ExpectTrue();
      EXPECT_LE(growing.sketch.cost(), improved);
      by_moves += improved < inserted;
      by_rounds += growing.sketch.cost() < improved;
    }
  }
  EXPECT_GT(by_moves, 15);
  EXPECT_GT(by_rounds, 5);
}

TEST(StopSketch, ImprovingAnImprovedPlanChangesNothing) {
  const ADay a(Offers(25), 20);
  Growing growing(a);
  growing.AddTheRest();
  growing.sketch.Improve();
  const Plan once = growing.sketch.ToPlan();
  growing.sketch.Improve();
  EXPECT_EQ(growing.sketch.ToPlan().routes, once.routes);
}

TEST(StopSketch, ACopyIsItsOwn) {
  const ADay a(Offers(25), 10);
  Growing growing(a);
  const StopSketch copy = growing.sketch;
  EXPECT_GT(growing.AddTheRest(), 0);
  growing.ExpectTrue();
  EXPECT_EQ(copy.cost(), a.day.own.cost);
  EXPECT_EQ(copy.ToPlan().routes, a.day.own.plan.routes);
}

TEST(StopSketch, NobodyIsTakenAboveTheCapacityOrTheFleet) {
  DvrptwOfferConfig config = OneVehicle();
  config.set_capacity(40);
  const ADay a(config, 0);
  Growing growing(a);
  EXPECT_LT(growing.AddTheRest(), 12);
  growing.ExpectTrue();
  EXPECT_EQ(growing.sketch.vehicles(), 1);
}

}  // namespace
}  // namespace dray::dvrptw_offer
