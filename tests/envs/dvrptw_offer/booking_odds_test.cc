#include "src/envs/dvrptw_offer/booking_odds.h"

#include <gtest/gtest.h>

#include <map>

namespace dray::dvrptw_offer {
namespace {

TEST(BookingOdds, AreHowOftenCustomersBook) {
  constexpr int kCustomers = 200000;
  const auto split = delivery::SURVEYED;
  const BookingOdds odds(delivery::SharesOf(split));
  Rng rng(1, RngPurpose::kTest, 0);
  std::map<std::pair<int, int>, int> booked;  // by offer and slot, -1: lost
  for (int i = 0; i < kCustomers; ++i) {
    const Flexibility type = DrawType(split, rng);
    const Customer customer{0, type, static_cast<int>(rng.Below(kSlots)), rng.Uniform()};
    for (int offered = 0; offered < kOfferActions; ++offered) {
      ++booked[{offered, customer.Books(offered)}];
    }
  }
  const auto share = [&](int offered, int slot) {
    return booked[{offered, slot}] / static_cast<double>(kCustomers);
  };
  for (int offered = 0; offered < kOfferActions; ++offered) {
    EXPECT_NEAR(odds.IsLost(offered), share(offered, -1), 0.006) << offered;
    for (int slot = 0; slot < kSlots; ++slot) {
      EXPECT_NEAR(odds.Books(offered, slot), share(offered, slot), 0.006) << offered;
    }
  }
}

TEST(BookingOdds, NobodyIsLostToAFullOfferAndAllAreToNone) {
  const BookingOdds odds(delivery::SharesOf(delivery::UNIFORM));
  EXPECT_NEAR(odds.IsLost(kOfferAll), 0, 1e-12);
  EXPECT_NEAR(odds.IsLost(0), 1, 1e-12);
  EXPECT_NEAR(odds.Expected(0, {}, 70), 70, 1e-9);
  // Each slot is taken by a quarter of them.
  EXPECT_NEAR(odds.Expected(kOfferAll, {10, 20, 30, 40}, 70), 25, 1e-9);
}

TEST(BookingOdds, TheDearerALostCustomerTheLargerTheCheapestOffer) {
  const BookingOdds odds(delivery::SharesOf(delivery::UNIFORM));
  const SlotPrices prices = {100, 10, 20, 200};
  EXPECT_EQ(odds.Cheapest(kOfferAll, prices, 0), 0);
  EXPECT_EQ(odds.Cheapest(kOfferAll, prices, 60), 0b0110);
  EXPECT_EQ(odds.Cheapest(kOfferAll, prices, 1e6), kOfferAll);
  EXPECT_EQ(odds.Cheapest(0b1001, prices, 1e6), 0b1001);
  // Of equals, the larger one.
  EXPECT_EQ(odds.Cheapest(0b1011, {50, 50, 50, 50}, 50), 0b1011);
}

}  // namespace
}  // namespace dray::dvrptw_offer
