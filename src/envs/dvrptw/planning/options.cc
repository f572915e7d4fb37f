#include "src/envs/dvrptw/planning/options.h"

namespace dray::dvrptw {

Options::Options(const World& world, double patience_weight)
    : before_(world, patience_weight), after_(kShiftActions, before_) {}

void Options::Load(const Day& day, std::span<const uint8_t> mask) {
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
  actions_.push_back(action);
  seats_[action] = seat;
  after_[action] = before_;
  if (seat.possible()) after_[action].Add(trip, seat);
}

}  // namespace dray::dvrptw
