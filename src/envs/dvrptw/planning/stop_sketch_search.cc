#include <algorithm>
#include <cstdlib>

#include "src/envs/dvrptw/planning/stop_sketch.h"

namespace dray {
namespace {

constexpr int kTakenOut = 6;  // stops, by a round of ruin and recreate

}  // namespace

int64_t StopSketch::LeaveOut(const Route& whole, int member) {
  without_.clear();
  for (const Visit& visit : whole.visits) {
    if (visit.member != member) without_.push_back(visit);
  }
  return Drive(without_);
}

void StopSketch::TakeWithout(Route& changed, int64_t travel) {
  travel_ += travel - changed.travel;
  std::swap(changed.visits, without_);
  changed.travel = travel;
  changed.changed = ++clock_;
}

bool StopSketch::RelocateOne(int index) {
  constexpr int kNowhere = -2;
  Member& moving = member(index);
  const int home = moving.route;
  const bool home_changed = route(home).changed > moving.tried;
  const int64_t rest = LeaveOut(route(home), index);
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
      if (route(other).load() + moving.stop.load > fleet_.capacity) continue;
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

void StopSketch::Relocate() {
  bool moved = true;
  while (moved) {
    moved = false;
    for (int i = 0; i < static_cast<int>(members_.size()); ++i) moved |= RelocateOne(i);
  }
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

void StopSketch::MoveTails(int first, size_t first_cut, int second, size_t second_cut) {
  Visits& p = route(first).visits;
  Visits& q = route(second).visits;
  const auto at = [](Visits& visits, size_t i) {
    return visits.begin() + static_cast<Visits::difference_type>(i);
  };
  tail_.assign(at(p, first_cut), p.end());
  p.erase(at(p, first_cut), p.end());
  p.insert(p.end(), at(q, second_cut), q.end());
  q.erase(at(q, second_cut), q.end());
  q.insert(q.end(), tail_.begin(), tail_.end());
  for (const int index : {first, second}) {
    DriveAnew(index);
    for (const Visit& visit : route(index).visits) {
      if (visit.member >= 0) member(visit.member).route = index;
    }
  }
  // The later one first: closing a route gives its place to the last one.
  for (const int index : {second, first}) {
    if (route(index).visits.size() == 2) Close(index);
  }
}

bool StopSketch::ExchangeTails() {
  for (int first = 0; first < used_; ++first) {
    for (int second = first + 1; second < used_; ++second) {
      if (ExchangeTailsOf(first, second)) return true;
    }
  }
  return false;
}

void StopSketch::Improve() {
  do Relocate();
  while (ExchangeTails());
}

void StopSketch::ChooseNear(Rng& rng) {
  const auto count = static_cast<uint32_t>(members_.size());
  // What is near is blurred by up to an eighth of the day.
  const auto blur = static_cast<uint32_t>(std::max(1, (day_.closes - day_.opens) / 8));
  const Stop& seed = members_[rng.Below(count)].stop;
  near_.clear();
  for (uint32_t i = 0; i < count; ++i) {
    const Stop& stop = members_[i].stop;
    const Ticks apart = Travel(seed.place, stop.place) + std::abs(seed.opens - stop.opens);
    near_.emplace_back(apart + static_cast<Ticks>(rng.Below(blur)), static_cast<int>(i));
  }
  const auto taken = std::min<size_t>(kTakenOut, near_.size());
  std::ranges::nth_element(near_, near_.begin() + static_cast<std::ptrdiff_t>(taken) - 1);
  taken_.clear();
  for (size_t i = 0; i < taken; ++i) taken_.push_back(near_[i].second);
  std::ranges::sort(taken_);
  rng.Shuffle(std::span(taken_));
}

void StopSketch::TakeOut(int index) {
  const int home = member(index).route;
  const int64_t rest = LeaveOut(route(home), index);
  TakeWithout(route(home), rest);
  member(index).route = -1;
  if (route(home).visits.size() == 2) Close(home);
}

bool StopSketch::Recreate() {
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

void StopSketch::RuinAndRecreate(int rounds, Rng& rng) {
  if (members_.empty()) return;
  if (!kept_) kept_ = std::make_unique<StopSketch>(*this);
  *kept_ = *this;
  for (int round = 0; round < rounds; ++round) {
    ChooseNear(rng);
    for (const int index : taken_) TakeOut(index);
    if (Recreate() && cost() <= kept_->cost()) {
      *kept_ = *this;
    } else {
      *this = *kept_;
    }
  }
}

}  // namespace dray
