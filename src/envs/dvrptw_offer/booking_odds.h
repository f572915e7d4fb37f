#pragma once

#include <array>
#include <cstdint>

#include "src/envs/dvrptw_offer/customer.h"

namespace dray::dvrptw_offer {

// Prices by slot, in ticks. The price of a slot that cannot be served is never read.
using SlotPrices = std::array<int64_t, kSlots>;

// Cost of losing a customer according to the rule keen.
constexpr double KeenOnServing(double lost) { return 3 * lost; }

// Probabilities of what a customer does with an offer, given only the frequency of types.
class BookingOdds {
 public:
  explicit BookingOdds(const TypeShares& shares);

  // Returns the probability that the customer books this slot.
  double Books(int offered, int slot) const { return of(offered).slot[slot]; }
  double IsLost(int offered) const { return of(offered).lost; }

  // Returns the expected cost of the customer; losing it costs `lost`.
  double Expected(int offered, const SlotPrices& prices, double lost) const;
  // Returns the subset of `possible` with the lowest expected cost; among equals, the larger offer.
  int Cheapest(int possible, const SlotPrices& prices, double lost) const;

 private:
  struct Odds {
    std::array<double, kSlots> slot{};
    double lost = 0;
  };
  const Odds& of(int offered) const { return odds_[offered]; }
  void Count(const Customer& customer, double share);

  std::array<Odds, kOfferActions> odds_{};  // one per offer
};

}  // namespace dray::dvrptw_offer
