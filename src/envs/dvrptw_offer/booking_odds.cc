#include "src/envs/dvrptw_offer/booking_odds.h"

#include <bit>

namespace dray::dvrptw_offer {

BookingOdds::BookingOdds(const TypeShares& shares) {
  for (const Flexibility type : delivery::kEveryFlexibility) {
    for (int personal = 0; personal < kSlots; ++personal) {
      Count({.type = type, .personal_slot = personal}, shares[Index(type)] / kSlots);
    }
  }
}

void BookingOdds::Count(const Customer& customer, double share) {
  for (int offered = 0; offered < kOfferActions; ++offered) {
    Odds& odds = odds_[offered];
    const uint8_t taken = offered & customer.Accepts();
    if (taken == 0) odds.lost += share;
    for (size_t slot = 0; slot < kSlots; ++slot) {
      if (taken >> slot & 1) odds.slot[slot] += share / std::popcount(taken);
    }
  }
}

double BookingOdds::Expected(int offered, const SlotPrices& prices, double lost) const {
  double cost = IsLost(offered) * lost;
  for (int slot = 0; slot < kSlots; ++slot) {
    if (offered >> slot & 1) {
      cost += Books(offered, slot) * prices[slot];
    }
  }
  return cost;
}

int BookingOdds::Cheapest(int possible, const SlotPrices& prices, double lost) const {
  int best = possible;
  double least = Expected(possible, prices, lost);
  for (int offered = possible - 1; offered >= 0; --offered) {
    if ((offered & ~possible) != 0) continue;
    const double cost = Expected(offered, prices, lost);
    if (cost >= least - 1e-6) continue;
    best = offered;
    least = cost;
  }
  return best;
}

}  // namespace dray::dvrptw_offer
