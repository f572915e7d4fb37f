#include "src/envs/dvrptw/planning/foresight.h"

namespace dray {

Foresight::Foresight(const DeliveryWorld& world, const Settings& settings)
    : settings_(settings), plan_(world, settings.patience_weight) {}

double Foresight::Play(const Options& options, int action, const Future& future, uint64_t chance) {
  const bool served = options.seat(action).possible();
  double beside = served ? PatienceOf(action) : settings_.unserved_penalty;
  plan_ = options.after(action);
  for (const FutureRequest& request : future) {
    const Sketch::Seat seat = plan_.Cheapest(*request.trip, ShiftRange::Of(request.type));
    if (seat.possible()) {
      beside += PatienceOf(seat.action);
      plan_.Add(*request.trip, seat);
    } else {
      beside += settings_.unserved_penalty;
    }
  }
  plan_.Improve();
  if (settings_.rounds > 0) {
    Rng rng(chance, RngPurpose::kFutures, 0);
    plan_.RuinAndRecreate(settings_.rounds, rng);
    plan_.Improve();
  }
  return Minutes(plan_.cost()) + beside;
}

}  // namespace dray
