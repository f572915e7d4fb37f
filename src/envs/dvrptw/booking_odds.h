#pragma once

#include <array>
#include <cstdint>

#include "src/envs/dvrptw/offer_customer.h"

namespace dray {

// Prices by slot, in ticks; one that cannot be served has none, and is not asked for.
using SlotPrices = std::array<int64_t, kSlots>;

// What the rule keen takes losing a customer to cost.
constexpr double KeenOnServing(double lost) { return 3 * lost; }

// What comes of an offer to a customer of whom nothing is known but how frequent types are.
class BookingOdds {
 public:
  explicit BookingOdds(const TypeShares& shares);

  // That it books this slot.
  double Books(int offered, int slot) const { return of(offered).slot[slot]; }
  double IsLost(int offered) const { return of(offered).lost; }

  // What the customer costs on average, when losing it costs `lost`.
  double Expected(int offered, const SlotPrices& prices, double lost) const;
  // The part of `possible` with the least expected cost; of equals, the larger offer.
  int Cheapest(int possible, const SlotPrices& prices, double lost) const;

 private:
  struct Odds {
    std::array<double, kSlots> slot{};
    double lost = 0;
  };
  const Odds& of(int offered) const { return odds_[offered]; }
  void Count(const OfferCustomer& customer, double share);

  std::array<Odds, kOfferActions> odds_{};  // by offer
};

}  // namespace dray
