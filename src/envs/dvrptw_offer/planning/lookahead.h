#pragma once

#include <array>
#include <cstdint>

#include "src/envs/delivery/planning/race.h"
#include "src/envs/dvrptw_offer/day.h"
#include "src/envs/dvrptw_offer/planning/foresight.h"

namespace dray::dvrptw_offer {

// Decides which slots to offer by looking ahead. Whatever is offered, the customer books one of the
// slots that can be served or is lost. Each of these outcomes, at most five, is played into the
// same sampled futures; an offer is worth their mean, weighted by the probabilities of a customer
// of unknown type. The best offer on average is made.
class Lookahead {
 public:
  struct Settings {
    delivery::RaceLimits limits;
    TypeShares shares{};  // frequency of types
    int rounds = 0;       // rounds of ruin and recreate at the end of each future
  };

  // The source of the days must outlive it.
  Lookahead(const CustomerSource& source, const Settings& settings);

  // Returns the slots to offer to the current customer. Uses only what a policy may know: neither
  // the customer's type nor who comes later.
  int Decide(const Day& day);

  // Number of futures played, over all outcomes and decisions.
  int64_t played() const { return played_; }

 private:
  static constexpr size_t kLost = kSlots;  // the outcome beside the slots
  static constexpr size_t kOutcomes = kSlots + 1;

  // Computes the plan after each outcome and what it adds; returns the slots that can be served.
  int LoadOutcomes(const Day& day);
  // Starts a race of all subsets of `possible`, the largest first, with the opinion of the rule
  // keen. The future has the cost of losing a customer.
  void Begin(int possible, const Future& future);
  void PlayOne(const Day& day, uint64_t chance);
  double ChanceOf(size_t outcome, int offered) const;

  const CustomerSource& source_;
  Settings settings_;
  Foresight foresight_;
  BookingOdds odds_;
  std::array<StopSketch, kOutcomes> after_;
  SlotPrices prices_{};
  std::array<float, kOfferActions> prior_{};  // ticks, by offer
  delivery::Race race_;
  Future future_;
  int64_t played_ = 0;
};

}  // namespace dray::dvrptw_offer
