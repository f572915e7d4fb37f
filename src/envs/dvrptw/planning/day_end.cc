#include "src/envs/dvrptw/planning/day_end.h"

namespace dray::dvrptw {

DayEnd::DayEnd(const World& world, const Foresight::Settings& settings)
    : world_(world),
      unserved_penalty_(settings.unserved_penalty),
      foresight_(world, settings),
      plan_(world, settings.patience_weight) {}

double DayEnd::Of(const Day& day, int next) {
  const double so_far = day.totals().patience_min + day.totals().unserved * unserved_penalty_;
  if (next == day.customers()) return Minutes(day.own.cost) + so_far;
  future_.clear();
  for (const Arrival& arrival : day.arrivals().subspan(next)) {
    const Rider& rider = world_.riders[arrival.rider];
    future_.push_back({&rider.pool[arrival.trip], rider.type});
  }
  plan_.Load(day.own.problem, day.own.plan);
  // The same chance at every step of a day: ends differ only by what was decided.
  return foresight_.Play(plan_, future_, /*chance=*/day.key().episode) + so_far;
}

}  // namespace dray::dvrptw
