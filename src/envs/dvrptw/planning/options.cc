#include "src/envs/dvrptw/planning/options.h"

namespace dray {

Options::Options(const DeliveryWorld& world, double patience_weight)
    : before_(world, patience_weight), after_(kShiftActions, before_) {}

void Options::Load(const DeliveryDay& day, std::span<const uint8_t> mask) {
  before_.Load(day.own.problem, day.own.plan);
  actions_.clear();
  Consider(day.asked(), kNoShift);
  for (int action = 0; action < kShiftActions; ++action) {
    if (action != kNoShift && mask[action] != 0) Consider(day.asked(), action);
  }
}

void Options::Consider(const Trip& trip, int action) {
  const Sketch::Seat seat = before_.Cheapest(trip, ShiftRange::Of(action));
  if (!seat.possible() && action != kNoShift) return;
  const size_t at = action;
  actions_.push_back(action);
  seats_[at] = seat;
  after_[at] = before_;
  if (seat.possible()) after_[at].Add(trip, seat);
}

}  // namespace dray
