#include "src/envs/dvrptw/planning/savings.h"

#include <algorithm>
#include <array>
#include <limits>

namespace dray::dvrptw {
namespace {

struct Call {
  int place;
  Ticks opens, closes;
};
using Tour = std::array<const Call*, 4>;

constexpr Ticks kImpossible = std::numeric_limits<Ticks>::max();

Ticks TravelOf(const World& world, const Tour& tour) {
  const City& city = world.city;
  Ticks time = 0, travel = 0;
  int at = city.depot;
  for (const Call* call : tour) {
    const Ticks leg = city.travel(at, call->place);
    time = std::max(time + leg, call->opens);
    if (time > call->closes) return kImpossible;
    time += world.service;
    travel += leg;
    at = call->place;
  }
  return travel + city.travel(at, city.depot);
}

Ticks Alone(const City& city, const Trip& trip) {
  return city.travel(city.depot, trip.origin) + city.travel(trip.origin, trip.destination) +
         city.travel(trip.destination, city.depot);
}

}  // namespace

double PairSaving(const World& world, const Trip& a, const Trip& b) {
  const Call up_a{a.origin, a.pickup_early, a.pickup_late};
  const Call off_a{a.destination, a.dropoff_early, a.dropoff_late};
  const Call up_b{b.origin, b.pickup_early, b.pickup_late};
  const Call off_b{b.destination, b.dropoff_early, b.dropoff_late};
  const Tour tours[] = {
      {&up_a, &off_a, &up_b, &off_b}, {&up_b, &off_b, &up_a, &off_a},
      {&up_a, &up_b, &off_a, &off_b}, {&up_a, &up_b, &off_b, &off_a},
      {&up_b, &up_a, &off_b, &off_a}, {&up_b, &up_a, &off_a, &off_b},
  };
  Ticks best = kImpossible;
  for (const Tour& tour : tours) best = std::min(best, TravelOf(world, tour));
  if (best == kImpossible) return 0;
  return Minutes(Alone(world.city, a) + Alone(world.city, b) - best);
}

}  // namespace dray::dvrptw
