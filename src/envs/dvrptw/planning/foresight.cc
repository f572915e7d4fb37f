#include "src/envs/dvrptw/planning/foresight.h"

namespace dray::dvrptw {

Foresight::Foresight(const World& world, const Settings& settings)
    : settings_(settings), plan_(world, settings.patience_weight) {}

double Foresight::Play(const Options& options, int action, const Future& future, uint64_t chance) {
  const double unserved = options.seat(action).possible() ? 0 : settings_.unserved_penalty;
  return Play(options.after(action), future, chance) + unserved;
}

double Foresight::Play(const Sketch& plan, const Future& future, uint64_t chance) {
  double unserved = 0;
  plan_ = plan;
  for (const FutureRequest& request : future) {
    const ShiftRange shifts = ShiftRange::Of(request.type);
    const Sketch::Seat seat = plan_.Cheapest(*request.trip, shifts);
    if (seat.possible()) {
      plan_.AddOpen(*request.trip, seat, shifts);
    } else {
      unserved += settings_.unserved_penalty;
    }
  }
  plan_.Finish(settings_.rounds, chance);
  return (plan_.cost() + plan_.patience()) / kTicksPerMinute + unserved;
}

}  // namespace dray::dvrptw
