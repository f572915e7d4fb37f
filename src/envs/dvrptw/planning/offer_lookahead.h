#pragma once

#include <array>
#include <cstdint>

#include "src/envs/dvrptw/offer_day.h"
#include "src/envs/dvrptw/planning/offer_foresight.h"
#include "src/envs/dvrptw/planning/race.h"

namespace dray {

// Decides which slots to offer by looking ahead. Whatever is offered, the customer books one of the
// slots that can be served or is lost: each of these outcomes, five at most, is played into the
// same sampled futures, and an offer is worth their mean, weighted by how likely a customer of
// unknown type makes them. The offer that ends best on average is made.
class OfferLookahead {
 public:
  struct Settings {
    int futures = 128;  // at most, per decision
    // At most, per decision; 0: no limit. What is decided then depends on the machine.
    double decision_ms = 0;
    TypeShares shares{};  // how frequent types are
    int rounds = 0;       // of ruin and recreate at the end of each future
  };

  // The source of the days outlives it.
  OfferLookahead(const OfferSource& source, const Settings& settings);

  // The slots to offer the present customer of a day. Goes by what a policy may know: not by that
  // customer's type, nor by who comes after it.
  int Decide(const OfferDay& day);

  // Futures that were played, over all outcomes and decisions.
  int64_t played() const { return played_; }

 private:
  static constexpr size_t kLost = kSlots;  // the outcome beside the slots
  static constexpr size_t kOutcomes = kSlots + 1;

  // The plan after each outcome and what it adds at once; returns the slots that can be served.
  int LoadOutcomes(const OfferDay& day);
  // All parts of `possible`, the largest first, with what the rule keen thinks of them; the future
  // says what losing a customer costs.
  void Begin(int possible, const OfferFuture& future);
  void PlayOne(const OfferDay& day, uint64_t chance);
  double ChanceOf(size_t outcome, int offered) const;

  const OfferSource& source_;
  Settings settings_;
  OfferForesight foresight_;
  BookingOdds odds_;
  std::array<StopSketch, kOutcomes> after_;
  SlotPrices prices_{};
  std::array<float, kOfferActions> prior_{};  // by offer, in ticks
  Race race_;
  OfferFuture future_;
  int64_t played_ = 0;
};

}  // namespace dray
