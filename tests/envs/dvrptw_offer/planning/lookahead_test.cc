#include "src/envs/dvrptw_offer/planning/lookahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/envs/dvrptw_offer/planning/a_day.h"

namespace dray::dvrptw_offer {
namespace {

constexpr char kFile[] = "tests/data/solomon/25/R208.txt";

Lookahead::Settings WithFutures(int futures) {
  return {.limits = {.futures = futures, .decision_ms = 0},
          .shares = delivery::SharesOf(delivery::UNIFORM),
          .rounds = 0};
}

int Decision(const ADay& a, const Lookahead::Settings& settings) {
  return Lookahead(a.source, settings).Decide(a.day);
}

// What the last customer of a day leads to: the cost of the improved plan by slot, and of losing
// it.
struct Endings {
  explicit Endings(const ADay& a) {
    StopSketch before;
    before.Load(a.day.own.problem, a.day.own.plan);
    const SlotWindows windows = WindowsOf(a.day, a.day.asked());
    SlotSeats seats;
    before.Cheapest(a.day.asked(), windows, seats);
    for (size_t slot = 0; slot < kSlots; ++slot) {
      if (!seats[slot].possible()) continue;
      StopSketch plan = before;
      plan.Add(Agreed(a.day.asked(), windows[slot]), seats[slot]);
      plan.Improve();
      by_slot[slot] = plan.cost();
    }
    before.Improve();
    lost = static_cast<double>(before.cost() + a.day.lost_penalty());
  }

  SlotPrices by_slot{};
  double lost = 0;
};

TEST(Lookahead, OfTheLastCustomerTakesTheOfferThatEndsBestOnAverage) {
  const Lookahead::Settings settings = WithFutures(1);
  const BookingOdds odds(settings.shares);
  std::set<int> offers;
  for (uint64_t episode = 0; episode < 10; ++episode) {
    const ADay a(Offers(20), 19, episode);
    const Endings endings(a);
    const int chosen = Decision(a, settings);
    EXPECT_EQ(chosen, odds.Cheapest(a.Possible(), endings.by_slot, endings.lost)) << episode;
    offers.insert(chosen);
  }
  EXPECT_GT(offers.size(), 2u);
}

TEST(Lookahead, AsksTheRuleKeenWhereFuturesSayLittle) {
  // With one future, all but an eighth of the say is the rule's.
  const BookingOdds odds(delivery::SharesOf(delivery::UNIFORM));
  int alike = 0;
  for (uint64_t episode = 0; episode < 20; ++episode) {
    const ADay a(Offers(20), 10, episode);
    StopSketch before;
    before.Load(a.day.own.problem, a.day.own.plan);
    SlotSeats seats;
    before.Cheapest(a.day.asked(), WindowsOf(a.day, a.day.asked()), seats);
    SlotPrices prices;
    for (size_t slot = 0; slot < kSlots; ++slot) prices[slot] = seats[slot].price;
    const double lost = KeenOnServing(static_cast<double>(a.day.lost_penalty()));
    alike += Decision(a, WithFutures(1)) == odds.Cheapest(a.Possible(), prices, lost);
  }
  EXPECT_GT(alike, 10);
}

TEST(Lookahead, OffersWhatCanBeServedAloneAndTheSameEachTime) {
  DvrptwOfferConfig crowded = Offers(20);
  crowded.set_hard_fleet(true);
  crowded.set_free_vehicles(1);
  int impossible = 0;
  for (const DvrptwOfferConfig& config : {Offers(20), Offers(20, kFile), crowded}) {
    ADay a(config, 0);
    Lookahead lookahead(a.source, WithFutures(4));
    while (!a.day.over()) {
      const int possible = a.Possible();
      const int chosen = lookahead.Decide(a.day);
      EXPECT_EQ(chosen & ~possible, 0);
      EXPECT_EQ(lookahead.Decide(a.day), chosen);
      impossible += possible != kOfferAll;
      a.Advance(chosen);
    }
  }
  EXPECT_GT(impossible, 10);
}

// Everything that nobody can know after so many decisions: the type and taste of the present
// customer, and all about those who come later.
void ChangeTheUnknown(size_t decided, std::vector<Customer>& customers) {
  for (size_t i = decided; i < customers.size(); ++i) {
    Customer& customer = customers[i];
    customer.type = static_cast<Flexibility>((static_cast<int>(customer.type) + 1) % 4);
    customer.personal_slot = (customer.personal_slot + 1) % kSlots;
    customer.taste = 1 - customer.taste;
  }
  std::reverse(customers.begin() + static_cast<std::ptrdiff_t>(decided) + 1, customers.end());
}

// The customers to come live near the depot, so that losing one costs little, and have other
// demands.
void MoveTheUnknown(size_t decided, Problem& stops, std::vector<Customer>& customers) {
  const auto places = static_cast<size_t>(stops.travel.places());
  std::vector<Ticks> times(stops.travel.times().begin(), stops.travel.times().end());
  for (size_t i = decided + 1; i < customers.size(); ++i) {
    Stop& stop = stops.stops[static_cast<size_t>(customers[i].stop)];
    stop.load = 30 - stop.load;
    const auto here = static_cast<size_t>(stop.place);
    Point& point = stops.points[here];
    point = {50 + (point.x - 50) / 8, 50 + (point.y - 50) / 8};
    for (size_t there = 0; there < places; ++there) {
      const Point& other = stops.points[there];
      const auto way =
          static_cast<Ticks>(std::lround(10 * std::hypot(point.x - other.x, point.y - other.y)));
      times[here * places + there] = times[there * places + here] = way;
    }
  }
  stops.travel = TravelMatrix(static_cast<int>(places), std::move(times));
}

// Others of the file come in place of those who do.
void OthersOfTheFile(size_t decided, Problem& stops, std::vector<Customer>& customers) {
  std::set<int> come;
  for (const Customer& customer : customers) come.insert(customer.stop);
  size_t next = decided + 1;
  for (const Request& request : stops.requests) {
    if (next == customers.size()) break;
    if (!come.contains(request.pickup)) customers[next++].stop = request.pickup;
  }
}

TEST(Lookahead, KnowsNeitherTheCustomersTypeNorWhoWillCome) {
  std::set<int> offers;
  int other_penalties = 0;
  for (const bool from_file : {false, true}) {
    const DvrptwOfferConfig config = from_file ? Offers(15, kFile) : Offers(15);
    for (const int decided : {0, 3, 9, 13}) {
      for (uint64_t episode = 0; episode < 4; ++episode) {
        const ADay a(config, decided, episode);
        const ADay b(config, decided, episode, [&](auto& stops, auto& customers) {
          const auto from = static_cast<size_t>(decided);
          ChangeTheUnknown(from, customers);
          (from_file ? OthersOfTheFile : MoveTheUnknown)(from, stops, customers);
        });
        other_penalties += a.day.lost_penalty() != b.day.lost_penalty();
        const int chosen = Decision(a, WithFutures(64));
        EXPECT_EQ(Decision(b, WithFutures(64)), chosen) << decided << " " << episode;
        offers.insert(chosen);
      }
    }
  }
  EXPECT_GT(other_penalties, 20);
  EXPECT_GT(offers.size(), 3u);
}

TEST(Lookahead, DropsOffersThatAreClearlyWorse) {
  const ADay a(Offers(20), 12);
  Lookahead lookahead(a.source, WithFutures(256));
  lookahead.Decide(a.day);
  EXPECT_LT(lookahead.played(), 256 * (kSlots + 1));
}

TEST(Lookahead, StopsWhenItsTimeIsUp) {
  const ADay a(Offers(20), 0);
  Lookahead::Settings settings = WithFutures(1000000);
  settings.limits.decision_ms = 1e-6;  // less than one future takes
  Lookahead lookahead(a.source, settings);
  lookahead.Decide(a.day);
  EXPECT_LE(lookahead.played(), kSlots + 1);
}

}  // namespace
}  // namespace dray::dvrptw_offer
