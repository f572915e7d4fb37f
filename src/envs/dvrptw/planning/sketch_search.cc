#include <algorithm>
#include <cstdlib>

#include "src/envs/dvrptw/planning/sketch.h"

namespace dray {

void Sketch::LeaveOut(const Route& whole, int member) {
  without_.clear();
  bool aboard = false;
  for (const Visit& visit : whole.visits) {
    if (visit.member == member) {
      aboard = !aboard;
      continue;
    }
    without_.push_back(visit);
    without_.back().load = static_cast<int16_t>(visit.load - aboard);
  }
}

int64_t Sketch::SavedWithout(const Route& whole, int member) const {
  int64_t saved = 0;
  const Visit* before = whole.visits.data();
  bool gap = false;
  for (const Visit& visit : whole.visits) {
    if (visit.member == member) {
      saved += visit.leg;
      gap = true;
      continue;
    }
    if (gap) saved += visit.leg - Travel(before->place, visit.place);
    before = &visit;
    gap = false;
  }
  return saved;
}

bool Sketch::RelocateOne(int index) {
  constexpr int kNowhere = -2;
  Member& moving = member(index);
  const int home = moving.route;
  const bool home_changed = route(home).changed > moving.tried;
  const int64_t less_travel = SavedWithout(route(home), index);
  const bool alone = route(home).visits.size() == 4;
  const int64_t saved = less_travel + (alone ? VehicleCost(used_) - VehicleCost(used_ - 1) : 0);
  const auto leave = [&] {
    LeaveOut(route(home), index);
    Drive(without_);
  };
  const View view = Look(moving.trip);
  Seat best;
  best.price = static_cast<double>(saved) - 0.5;  // a move must gain a tick
  best.route = kNowhere;
  const bool may_pay = saved > 0;  // by the triangle inequality, no place is cheaper than nothing
  if (home_changed && may_pay) leave();
  for (int other = 0; may_pay && other < used_; ++other) {
    if (other == home) {
      if (home_changed && !alone) CheapestOn(without_, home, view, {}, best);
    } else if (home_changed || route(other).changed > moving.tried) {
      CheapestOn(route(other).visits, other, view, {}, best);
    }
  }
  if (home_changed && !alone && may_pay) Alone(view, {}, best);
  if (best.route == kNowhere) {
    moving.tried = clock_;
    return false;
  }
  if (!home_changed) leave();
  TakeWithout(route(home), route(home).travel - less_travel);
  Insert(index, best);
  if (alone) Close(home);
  return true;
}

bool Sketch::ExchangeTailsOf(int first, int second) {
  const Visits& p = route(first).visits;
  const Visits& q = route(second).visits;
  Ticks best = 0;
  size_t first_cut = 0, second_cut = 0;
  for (size_t i = 0; i + 1 < p.size(); ++i) {
    if (p[i].load != 0) continue;
    for (size_t j = 0; j + 1 < q.size(); ++j) {
      if (q[j].load != 0) continue;
      const Ticks there = Travel(p[i].place, q[j + 1].place);
      const Ticks back = Travel(q[j].place, p[i + 1].place);
      const Ticks change = there + back - p[i + 1].leg - q[j + 1].leg;
      if (change >= best || p[i].leave + there > q[j + 1].latest ||
          q[j].leave + back > p[i + 1].latest) {
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

Ticks Sketch::Apart(const Member& a, const Member& b) const {
  return Travel(a.trip.origin, b.trip.origin) + Travel(a.trip.destination, b.trip.destination) +
         std::abs(a.trip.pickup_early - b.trip.pickup_early);
}

bool Sketch::Recreate(double most) {
  double waiting = 0;  // patience of those that are still out
  for (const int index : taken_) waiting += member(index).patience;
  for (const int index : taken_) {
    Member& back = member(index);
    waiting -= back.patience;
    const Seat seat = Cheapest(back.asked, back.open);
    if (!seat.possible()) return false;
    GiveShift(back, seat.action);
    Insert(index, seat);
    // By the triangle inequality, whoever follows can only add; half a tick is for rounding.
    if (Objective() - waiting > most + 0.5) return false;
  }
  return true;
}

}  // namespace dray
