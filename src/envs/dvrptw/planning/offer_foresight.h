#pragma once

#include <array>
#include <cstdint>

#include "src/envs/dvrptw/booking_odds.h"
#include "src/envs/dvrptw/offer_day.h"
#include "src/envs/dvrptw/planning/stop_sketch.h"

namespace dray {

using SlotWindows = std::array<StopSketch::Window, kSlots>;
using SlotSeats = std::array<StopSketch::Seat, kSlots>;

// The windows of all slots at a stop of a day.
SlotWindows WindowsOf(const OfferDay& day, const Stop& stop);
// The slots with a possible seat, as an offer.
int PossibleSlots(const SlotSeats& seats);
// A stop for which this window was agreed.
Stop Agreed(Stop stop, const StopSketch::Window& window);

// What a plan leads to, by playing futures: the customers to come are offered what the rule keen
// offers, which loses few, and the plan of the whole day is improved at its end.
class OfferForesight {
 public:
  // Rounds are of ruin and recreate at the end of each future: less bias, at a price.
  OfferForesight(const TypeShares& shares, int rounds) : odds_(shares), rounds_(rounds) {}

  // What serving those who booked and losing the others to come costs, in ticks, if a day goes on
  // so from this plan. Plans that differ in little, with the same future and chance, end alike in
  // all else: compare them.
  double Play(const OfferDay& day, const StopSketch& from, const OfferFuture& future,
              uint64_t chance);

 private:
  int Offer(const SlotSeats& seats, int64_t lost_penalty) const;

  BookingOdds odds_;
  int rounds_;
  StopSketch plan_;
};

}  // namespace dray
