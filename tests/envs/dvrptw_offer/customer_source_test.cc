#include "src/envs/dvrptw_offer/customer_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/config/error_text.h"

namespace dray::dvrptw_offer {
namespace {

constexpr EpisodeKey kKey{.seed = 5, .purpose = RngPurpose::kTest, .env = 1, .episode = 2};
constexpr size_t kSeen = 8;

DvrptwOfferConfig Offers(int customers, const char* file = "") {
  DvrptwOfferConfig config;
  config.set_num_customers(customers);
  config.set_instance(file);
  return config;
}

// A day of which some customers have come, and one way it may go on.
struct Drawn {
  explicit Drawn(const DvrptwOfferConfig& config) : source(config) {
    customers = source.Draw(kKey, &stops);
    DrawAgain();
  }
  void DrawAgain() { source.DrawFuture(stops, std::span(customers).first(kSeen), rng, future); }
  std::set<int> Seen() const {
    std::set<int> seen;
    for (size_t i = 0; i < kSeen; ++i) seen.insert(customers[i].stop);
    return seen;
  }

  CustomerSource source;
  Problem stops;
  std::vector<Customer> customers;
  Rng rng{1, RngPurpose::kTest, 0};
  Future future;
};

TEST(DrawFuture, EveryoneToComeIsSomebodyElse) {
  Drawn drawn(Offers(20));
  std::set<int> stops = drawn.Seen();
  ASSERT_EQ(drawn.future.customers.size(), 20 - kSeen);
  for (const Customer& customer : drawn.future.customers) {
    EXPECT_TRUE(stops.insert(customer.stop).second);
  }
}

TEST(DrawFuture, GeneratedCustomersAreGeneratedAnewWhereNobodyHasBeen) {
  Drawn drawn(Offers(20));
  const Future& future = drawn.future;
  const std::set<int> seen = drawn.Seen();
  const auto places = static_cast<size_t>(drawn.stops.travel.places());
  for (size_t i = 0; i < places; ++i) {
    for (size_t j = 0; j < places; ++j) {
      const auto known = [&](size_t place) {
        return place == 0 || seen.contains(static_cast<int>(place) - 1);
      };
      const Ticks way = future.travel[i * places + j];
      if (known(i) && known(j)) {
        EXPECT_EQ(way, drawn.stops.travel.times()[i * places + j]);
      } else {
        const Point &a = future.points[i], &b = future.points[j];
        EXPECT_EQ(way, std::lround(10 * std::hypot(a.x - b.x, a.y - b.y)));
        EXPECT_TRUE(i == j || way != drawn.stops.travel.times()[i * places + j]);
      }
    }
  }
  for (const int stop : seen) {
    const auto at = static_cast<size_t>(stop);
    EXPECT_EQ(future.stops[at].load, drawn.stops.stops[at].load);
  }
}

TEST(DrawFuture, LosingACustomerCostsWhatItWouldOnThatDay) {
  Drawn drawn(Offers(20));
  int64_t round_trips = 0;
  for (size_t place = 1; place <= 20; ++place) round_trips += 2 * drawn.future.travel[place];
  EXPECT_EQ(drawn.future.lost_penalty, std::llround(1.5 * static_cast<double>(round_trips) / 20));
}

TEST(DrawFuture, PlacesDemandsAndAnswersAreAsOftenAsOnOtherDays) {
  Drawn drawn(Offers(20));
  constexpr int kFutures = 2000;
  double x = 0, load = 0, taste = 0, flexible = 0, count = 0;
  for (int i = 0; i < kFutures; ++i) {
    drawn.DrawAgain();
    for (const Customer& customer : drawn.future.customers) {
      const Stop& stop = drawn.future.stops[static_cast<size_t>(customer.stop)];
      x += drawn.future.points[static_cast<size_t>(stop.place)].x;
      load += stop.load;
      taste += customer.taste;
      flexible += customer.type == Flexibility::kBoth;
      ++count;
    }
  }
  EXPECT_NEAR(x / count, 50, 1);
  EXPECT_NEAR(load / count, 15, 0.3);
  EXPECT_NEAR(taste / count, 0.5, 0.01);
  EXPECT_NEAR(flexible / count, 0.25, 0.01);
}

TEST(DrawFuture, OfAFileAnybodyMayComeWhoHasNotYet) {
  Drawn drawn(Offers(10, "tests/data/solomon/25/C101.txt"));
  const std::set<int> seen = drawn.Seen();
  std::set<int> met;
  for (int i = 0; i < 200; ++i) {
    drawn.DrawAgain();
    ASSERT_EQ(drawn.future.customers.size(), 10 - kSeen);
    for (const Customer& customer : drawn.future.customers) met.insert(customer.stop);
  }
  // Not the two alone who will.
  EXPECT_EQ(met.size(), 25 - kSeen);
  for (const int stop : met) EXPECT_FALSE(seen.contains(stop));
  EXPECT_EQ(drawn.future.travel.data(), drawn.stops.travel.times().data());
}

TEST(CustomerSource, AFileHasItsOwnNumberOfVehicles) {
  DvrptwOfferConfig config = Offers(10, "tests/data/solomon/25/C101.txt");
  EXPECT_NO_THROW(CustomerSource{config});
  config.set_free_vehicles(3);
  EXPECT_THAT(UsageErrorOf([&] { CustomerSource{config}; }),
              testing::StartsWith("env.dvrptw_offer.free_vehicles: 3 has no effect with "
                                  "env.dvrptw_offer.instance: "));
}

TEST(CustomerSource, GeneratedCustomersHaveNoSpeed) {
  DvrptwOfferConfig config = Offers(10);
  config.set_speed_kmh(20);
  EXPECT_THAT(UsageErrorOf([&] { CustomerSource{config}; }),
              testing::StartsWith("env.dvrptw_offer.speed_kmh: 20 has no effect without "
                                  "env.dvrptw_offer.instance: "));
}

}  // namespace
}  // namespace dray::dvrptw_offer
