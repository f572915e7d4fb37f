#include <algorithm>
#include <cstdlib>

#include "src/envs/dvrptw/planning/sketch.h"

namespace dray {
namespace {

constexpr int kTakenOut = 6;                       // trips, by a round of ruin and recreate
constexpr int kNearChance = 30 * kTicksPerMinute;  // by which what is near is blurred

}  // namespace

int64_t Sketch::LeaveOut(const Route& whole, int member) {
  without_.clear();
  bool aboard = false;
  for (const Visit& visit : whole.visits) {
    if (visit.trip == member) {
      aboard = !aboard;
      continue;
    }
    without_.push_back(visit);
    without_.back().load = static_cast<int16_t>(visit.load - aboard);
  }
  return Drive(without_);
}

void Sketch::TakeWithout(Route& changed, int64_t travel) {
  travel_ += travel - changed.travel;
  std::swap(changed.visits, without_);
  changed.travel = travel;
  changed.changed = ++clock_;
}

bool Sketch::RelocateOne(int index) {
  constexpr int kNowhere = -2;
  Member& moving = member(index);
  const int home = moving.route;
  const bool home_changed = route(home).changed > moving.tried;
  const int64_t rest = LeaveOut(route(home), index);
  const bool alone = without_.size() == 2;
  const int64_t saved =
      route(home).travel - rest + (alone ? VehicleCost(used_) - VehicleCost(used_ - 1) : 0);
  const View view = Look(moving.trip);
  Seat best;
  best.price = static_cast<double>(saved) - 0.5;  // a move must gain a tick
  best.route = kNowhere;
  for (int other = 0; other < used_; ++other) {
    if (other == home) {
      if (home_changed && !alone) CheapestOn(without_, home, view, {}, best);
    } else if (home_changed || route(other).changed > moving.tried) {
      CheapestOn(route(other).visits, other, view, {}, best);
    }
  }
  if (home_changed && !alone) Alone(view, {}, best);
  if (best.route == kNowhere) {
    moving.tried = clock_;
    return false;
  }
  TakeWithout(route(home), rest);
  Insert(index, best);
  if (alone) Close(home);
  return true;
}

void Sketch::Relocate() {
  bool moved = true;
  while (moved) {
    moved = false;
    for (int i = 0; i < static_cast<int>(members_.size()); ++i) moved |= RelocateOne(i);
  }
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

void Sketch::MoveTails(int first, size_t first_cut, int second, size_t second_cut) {
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
      if (visit.trip >= 0) member(visit.trip).route = index;
    }
  }
  // The later one first: closing a route gives its place to the last one.
  for (const int index : {second, first}) {
    if (route(index).visits.size() == 2) Close(index);
  }
}

bool Sketch::ExchangeTails() {
  for (int first = 0; first < used_; ++first) {
    for (int second = first + 1; second < used_; ++second) {
      if (ExchangeTailsOf(first, second)) return true;
    }
  }
  return false;
}

void Sketch::Improve() {
  do Relocate();
  while (ExchangeTails());
}

void Sketch::ChooseNear(Rng& rng) {
  const auto count = static_cast<uint32_t>(members_.size());
  const Trip& seed = members_[rng.Below(count)].trip;
  near_.clear();
  for (uint32_t i = 0; i < count; ++i) {
    const Trip& trip = members_[i].trip;
    const Ticks apart = Travel(seed.origin, trip.origin) +
                        Travel(seed.destination, trip.destination) +
                        std::abs(seed.pickup_early - trip.pickup_early);
    near_.emplace_back(apart + static_cast<Ticks>(rng.Below(kNearChance)), static_cast<int>(i));
  }
  const auto taken = std::min<size_t>(kTakenOut, near_.size());
  std::ranges::nth_element(near_, near_.begin() + static_cast<std::ptrdiff_t>(taken) - 1);
  taken_.clear();
  for (size_t i = 0; i < taken; ++i) taken_.push_back(near_[i].second);
  std::ranges::sort(taken_);
  rng.Shuffle(std::span(taken_));
}

void Sketch::TakeOut(int index) {
  const int home = member(index).route;
  const int64_t rest = LeaveOut(route(home), index);
  TakeWithout(route(home), rest);
  member(index).route = -1;
  if (route(home).visits.size() == 2) Close(home);
}

bool Sketch::Recreate() {
  for (const int index : taken_) {
    Member& back = member(index);
    const Seat seat = Cheapest(back.asked, back.open);
    if (!seat.possible()) return false;
    GiveShift(back, seat.action);
    Insert(index, seat);
  }
  return true;
}

void Sketch::RuinAndRecreate(int rounds, Rng& rng) {
  if (members_.empty()) return;
  if (!kept_) kept_ = std::make_unique<Sketch>(*this);
  *kept_ = *this;
  for (int round = 0; round < rounds; ++round) {
    ChooseNear(rng);
    for (const int index : taken_) TakeOut(index);
    if (Recreate() && Objective() <= kept_->Objective()) {
      *kept_ = *this;
    } else {
      *this = *kept_;
    }
  }
}

}  // namespace dray
