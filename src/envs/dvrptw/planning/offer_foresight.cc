#include "src/envs/dvrptw/planning/offer_foresight.h"

#include "src/envs/dvrptw/random_streams.h"

namespace dray {

SlotWindows WindowsOf(const OfferDay& day, const Stop& stop) {
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

int OfferForesight::Offer(const SlotSeats& seats, int64_t lost_penalty) const {
  SlotPrices prices;
  for (size_t slot = 0; slot < kSlots; ++slot) prices[slot] = seats[slot].price;
  return odds_.Cheapest(PossibleSlots(seats), prices,
                        KeenOnServing(static_cast<double>(lost_penalty)));
}

double OfferForesight::Play(const OfferDay& day, const StopSketch& from, const OfferFuture& future,
                            uint64_t chance) {
  int64_t lost = 0;
  plan_ = from;
  plan_.set_travel(future.travel);
  for (const OfferCustomer& customer : future.customers) {
    const Stop& stop = future.stops[customer.stop];
    const SlotWindows windows = WindowsOf(day, stop);
    SlotSeats seats;
    plan_.Cheapest(stop, windows, seats);
    const int slot = customer.Books(Offer(seats, future.lost_penalty));
    if (slot < 0) {
      ++lost;
    } else {
      const size_t at = slot;
      plan_.Add(Agreed(stop, windows[at]), seats[at]);
    }
  }
  plan_.Improve();
  if (rounds_ > 0) {
    Rng rng(chance, kFuturesStream, 0);
    plan_.RuinAndRecreate(rounds_, rng);
    plan_.Improve();
  }
  return static_cast<double>(plan_.cost() + lost * future.lost_penalty);
}

}  // namespace dray
