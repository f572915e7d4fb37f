#include <algorithm>
#include <cstdlib>

#include "src/envs/dvrptw/planning/stop_sketch.h"

namespace dray {

void StopSketch::LeaveOut(const Route& whole, int member) {
  without_.clear();
  for (const Visit& visit : whole.visits) {
    if (visit.member != member) without_.push_back(visit);
  }
}

bool StopSketch::RelocateOne(int index) {
  constexpr int kNowhere = -2;
  Member& moving = member(index);
  const int home = moving.route;
  const bool home_changed = route(home).changed > moving.tried;
  LeaveOut(route(home), index);
  const int64_t rest = Drive(without_);
  const bool alone = without_.size() == 2;
  const int64_t saved =
      route(home).travel - rest + (alone ? VehicleCost(used_) - VehicleCost(used_ - 1) : 0);
  const Window window{moving.stop.opens, moving.stop.closes};
  const std::span<const Window> windows(&window, 1);
  Seat best{.price = saved, .route = kNowhere, .after = 0};
  const std::span<Seat> seats(&best, 1);
  for (int other = 0; other < used_; ++other) {
    if (other == home) {
      if (home_changed && !alone) CheapestOn(without_, home, moving.stop, windows, seats);
    } else if (home_changed || route(other).changed > moving.tried) {
      if (LoadOf(route(other)) + moving.stop.load > fleet_.capacity) continue;
      CheapestOn(route(other).visits, other, moving.stop, windows, seats);
    }
  }
  if (home_changed && !alone) Alone(moving.stop, windows, seats);
  if (best.route == kNowhere || !InTime(without_)) {
    moving.tried = clock_;
    return false;
  }
  TakeWithout(route(home), rest);
  Insert(index, best);
  if (alone) Close(home);
  return true;
}

bool StopSketch::ExchangeTailsOf(int first, int second) {
  const Visits& p = route(first).visits;
  const Visits& q = route(second).visits;
  const int p_load = p.back().so_far, q_load = q.back().so_far;
  Ticks best = 0;
  size_t first_cut = 0, second_cut = 0;
  for (size_t i = 0; i + 1 < p.size(); ++i) {
    for (size_t j = 0; j + 1 < q.size(); ++j) {
      const Ticks there = Travel(p[i].place, q[j + 1].place);
      const Ticks back = Travel(q[j].place, p[i + 1].place);
      const Ticks change = there + back - p[i + 1].leg - q[j + 1].leg;
      if (change >= best || p[i].leave + there > q[j + 1].latest ||
          q[j].leave + back > p[i + 1].latest ||
          p[i].so_far + q_load - q[j].so_far > fleet_.capacity ||
          q[j].so_far + p_load - p[i].so_far > fleet_.capacity) {
        continue;
      }
      best = change;
      first_cut = i + 1;
      second_cut = j + 1;
    }
  }
  if (best == 0) return false;
  MoveTails(first, first_cut, second, second_cut);
  return true;
}

Ticks StopSketch::Apart(const Member& a, const Member& b) const {
  return Travel(a.stop.place, b.stop.place) + std::abs(a.stop.opens - b.stop.opens);
}

bool StopSketch::Recreate(double /*most: without a triangle inequality nothing is sure*/) {
  for (const int index : taken_) {
    const Stop& stop = member(index).stop;
    const Window window{stop.opens, stop.closes};
    Seat seat;
    Cheapest(stop, {&window, 1}, {&seat, 1});
    if (!seat.possible()) return false;
    Insert(index, seat);
  }
  return std::all_of(routes_.begin(), routes_.begin() + used_,
                     [this](const Route& route) { return InTime(route.visits); });
}

}  // namespace dray
