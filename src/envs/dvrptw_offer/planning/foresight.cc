#include "src/envs/dvrptw_offer/planning/foresight.h"

namespace dray::dvrptw_offer {

SlotWindows WindowsOf(const Day& day, const Stop& stop) {
  SlotWindows windows;
  for (int slot = 0; slot < kSlots; ++slot) {
    const RequestWindows window = day.WindowOf(stop, slot);
    windows[slot] = {window.pickup_opens, window.pickup_closes};
  }
  return windows;
}

int PossibleSlots(const SlotSeats& seats) {
  int possible = 0;
  for (size_t slot = 0; slot < kSlots; ++slot) possible |= seats[slot].possible() << slot;
  return possible;
}

Stop Agreed(Stop stop, const StopSketch::Window& window) {
  stop.opens = window.opens;
  stop.closes = window.closes;
  return stop;
}

int Foresight::Offer(const SlotSeats& seats, int64_t lost_penalty) const {
  SlotPrices prices;
  for (size_t slot = 0; slot < kSlots; ++slot) prices[slot] = seats[slot].price;
  return odds_.Cheapest(PossibleSlots(seats), prices, KeenOnServing(lost_penalty));
}

double Foresight::Play(const Day& day, const StopSketch& from, const Future& future,
                       uint64_t chance) {
  int64_t lost = 0;
  plan_ = from;
  plan_.set_travel(future.travel);
  for (const Customer& customer : future.customers) {
    const Stop& stop = future.stops[customer.stop];
    const SlotWindows windows = WindowsOf(day, stop);
    SlotSeats seats;
    plan_.Cheapest(stop, windows, seats);
    const int slot = customer.Books(Offer(seats, future.lost_penalty));
    if (slot < 0) {
      ++lost;
    } else {
      plan_.Add(Agreed(stop, windows[slot]), seats[slot]);
    }
  }
  plan_.Finish(rounds_, chance);
  return plan_.cost() + lost * future.lost_penalty;
}

}  // namespace dray::dvrptw_offer
