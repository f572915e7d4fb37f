#pragma once

#include <array>
#include <cstdint>

#include "src/envs/dvrptw_offer/booking_odds.h"
#include "src/envs/dvrptw_offer/day.h"
#include "src/envs/dvrptw_offer/planning/stop_sketch.h"

namespace dray::dvrptw_offer {

using SlotWindows = std::array<StopSketch::Window, kSlots>;
using SlotSeats = std::array<StopSketch::Seat, kSlots>;

// Returns the windows of all slots at a stop.
SlotWindows WindowsOf(const Day& day, const Stop& stop);
// Returns the slots with a possible seat as an offer.
int PossibleSlots(const SlotSeats& seats);
// Returns the stop with the agreed window.
Stop Agreed(Stop stop, const StopSketch::Window& window);

// Estimates what a plan leads to by playing futures: later customers are offered what the rule keen
// offers, which loses few, and the plan of the whole day is improved at its end.
class Foresight {
 public:
  // `rounds` is the number of rounds of ruin and recreate at the end of each future: more rounds
  // mean less bias and more time.
  Foresight(const TypeShares& shares, int rounds) : odds_(shares), rounds_(rounds) {}

  // Returns the cost in ticks of serving those who book and losing the others if the day continues
  // from this plan with this future. Compare plans with the same future and chance.
  double Play(const Day& day, const StopSketch& from, const Future& future, uint64_t chance);

 private:
  int Offer(const SlotSeats& seats, int64_t lost_penalty) const;

  BookingOdds odds_;
  int rounds_;
  StopSketch plan_;
};

}  // namespace dray::dvrptw_offer
