#include "src/envs/dvrptw/planning/foresight.h"

#include "src/envs/dvrptw/random_streams.h"

namespace dray {

Foresight::Foresight(const DeliveryWorld& world, const Settings& settings)
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
  plan_.Improve();
  if (settings_.rounds > 0) {
    Rng rng(chance, kFuturesStream, 0);
    plan_.RuinAndRecreate(settings_.rounds, rng);
    plan_.Improve();
  }
  return (static_cast<double>(plan_.cost()) + plan_.patience()) / kTicksPerMinute + unserved;
}

}  // namespace dray
