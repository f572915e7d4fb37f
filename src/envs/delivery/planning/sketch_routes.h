#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/delivery/random_streams.h"
#include "src/routing/problem.h"

namespace dray::delivery {

// Routes in flat memory and the moves that improve them: the common part of sketches of trips and
// of single stops. Copying is cheap, and nothing is allocated once the memory has grown.
//
// A Visit has its member (-1: the depot), place, leg, leave and latest; a Member has its route and
// when it was last `tried`. The sketch itself provides what differs:
//   kVisitsPerMember            number of visits that serve a member
//   kTriangle                   whether travel times obey the triangle inequality
//   Drive(visits)               computes the times of visits whose places and windows are right;
//                               returns their travel
//   LeaveOut(route, member)     copies the visits of a route, without a member's, to without_; they
//                               are not driven yet
//   InTime(visits)              whether visits can be served after others were left out
//   BetterThan(saved)           a seat on no route: only a seat that costs less than `saved` beats
//   it PlacingOf(member)           prices seats of a member: On(visits, index, best), Alone(best)
//   Insert(member, seat)        serves a member there
//   MayCut(visit)               whether a route may be cut after a visit
//   TailsFit(p, i, q, j)        whether two routes can carry each other's ends after i and j
//   Apart(a, b)                 distance of two members in ticks
//   blur()                      largest random number added to that distance, in ticks
//   Recreate(most)              puts taken_ back; returns false if one finds no place, or if the
//                               objective is already sure to be above `most`
//   Objective()                 what is minimised
//   Travel(from, to), fleet()
template <typename Sketch, typename Visit, typename Member>
class SketchRoutes {
 public:
  int vehicles() const { return used_; }

  // Improves the plan until no move is left that helps: members move to better places, two routes
  // exchange their ends.
  void Improve() {
    do Relocate();
    while (ExchangeTails());
  }
  // Performs rounds of ruin and recreate: takes out a few members that are near each other, puts
  // them back, and keeps the result if the objective is no higher. All randomness is the rng's, so
  // that two plans can be given the same.
  void RuinAndRecreate(int rounds, Rng& rng);
  // Improves the plan of a complete day with both; `chance` seeds the random numbers.
  void Finish(int rounds, uint64_t chance) {
    Improve();
    if (rounds == 0) return;
    Rng rng(chance, kFuturesStream, 0);
    RuinAndRecreate(rounds, rng);
    Improve();
  }

 protected:
  using Visits = std::vector<Visit>;  // starts and ends with the depot
  struct Route {
    Visits visits;
    int64_t travel = 0;
    uint64_t changed = 0;  // when it was last changed, by clock_
  };
  static constexpr int kNowhere = -2;  // route of a seat that does not exist

  SketchRoutes() = default;
  SketchRoutes(const SketchRoutes& other) { *this = other; }
  SketchRoutes& operator=(const SketchRoutes& other);

  void Clear();
  // Opens a route that only starts and ends at the depot; returns its index.
  int Open(const Visit& depot);
  void Close(int index);
  void DriveAnew(int index);
  int64_t VehicleCost(int vehicles) const {
    const Fleet& fleet = self().fleet();
    return int64_t{std::max(0, vehicles - fleet.free_vehicles)} * fleet.extra_vehicle_cost;
  }

  Route& route(int index) { return routes_[index]; }
  const Route& route(int index) const { return routes_[index]; }
  Member& member(int index) { return members_[index]; }

  std::vector<Route> routes_;  // the first used_ of them
  int used_ = 0;
  std::vector<Member> members_;
  int64_t travel_ = 0;
  uint64_t clock_ = 0;
  Visits without_;
  std::vector<int> taken_;  // members that a round of ruin and recreate took out

 private:
  static constexpr size_t kTakenOut = 6;

  void Relocate();
  // Moves a member to a better place; returns false if there is none.
  bool RelocateOne(int member);
  // Returns the travel that a route saves without a member.
  int64_t SavedWithout(const Route& route, int member) const;
  // Replaces the visits of a route by without_.
  void TakeWithout(Route& route, int64_t travel);
  bool ExchangeTails();
  // Exchanges everything that follows a visit in each of two routes; returns false if no exchange
  // helps.
  bool ExchangeTailsOf(int first, int second);
  void MoveTails(int first, size_t first_cut, int second, size_t second_cut);
  // Fills taken_ with a random member and those nearest to it.
  void ChooseNear(Rng& rng);
  void TakeOut();
  Sketch& self() { return static_cast<Sketch&>(*this); }
  const Sketch& self() const { return static_cast<const Sketch&>(*this); }

  Visits tail_;
  std::vector<std::pair<Ticks, int>> near_;
  std::unique_ptr<Sketch> kept_;  // the best plan of ruin and recreate so far
};

template <typename Sketch, typename Visit, typename Member>
SketchRoutes<Sketch, Visit, Member>& SketchRoutes<Sketch, Visit, Member>::operator=(
    const SketchRoutes& other) {
  used_ = other.used_;
  travel_ = other.travel_;
  clock_ = other.clock_;
  members_ = other.members_;
  if (std::ssize(routes_) < used_) routes_.resize(used_);
  for (int i = 0; i < used_; ++i) route(i) = other.route(i);
  return *this;
}

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::Clear() {
  used_ = 0;
  travel_ = 0;
  members_.clear();
}

template <typename Sketch, typename Visit, typename Member>
int SketchRoutes<Sketch, Visit, Member>::Open(const Visit& depot) {
  if (std::ssize(routes_) == used_) routes_.emplace_back();
  Route& opened = route(used_);
  opened.visits.assign(2, depot);
  opened.travel = 0;
  opened.changed = ++clock_;
  return used_++;
}

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::Close(int index) {
  --used_;
  std::swap(route(index), route(used_));
  for (Member& member : members_) {
    if (member.route == used_) member.route = index;
  }
}

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::DriveAnew(int index) {
  Route& changed = route(index);
  travel_ -= changed.travel;
  changed.travel = self().Drive(changed.visits);
  travel_ += changed.travel;
  changed.changed = ++clock_;
}

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::TakeWithout(Route& changed, int64_t travel) {
  travel_ += travel - changed.travel;
  std::swap(changed.visits, without_);
  changed.travel = travel;
  changed.changed = ++clock_;
}

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::Relocate() {
  bool moved = true;
  while (moved) {
    moved = false;
    for (int i = 0; i < std::ssize(members_); ++i) {
      const bool any_changed = clock_ > member(i).tried;
      moved |= any_changed && RelocateOne(i);
    }
  }
}

template <typename Sketch, typename Visit, typename Member>
int64_t SketchRoutes<Sketch, Visit, Member>::SavedWithout(const Route& whole, int member) const {
  int64_t saved = 0;
  const Visit* before = whole.visits.data();
  bool gap = false;
  for (const Visit& visit : whole.visits) {
    if (visit.member == member) {
      saved += visit.leg;
      gap = true;
      continue;
    }
    if (gap) saved += visit.leg - self().Travel(before->place, visit.place);
    before = &visit;
    gap = false;
  }
  return saved;
}

template <typename Sketch, typename Visit, typename Member>
bool SketchRoutes<Sketch, Visit, Member>::RelocateOne(int index) {
  Member& moving = member(index);
  const int home = moving.route;
  const bool home_changed = route(home).changed > moving.tried;
  const int64_t less_travel = SavedWithout(route(home), index);
  const bool alone = route(home).visits.size() == 2 + Sketch::kVisitsPerMember;
  const int64_t saved = less_travel + (alone ? VehicleCost(used_) - VehicleCost(used_ - 1) : 0);
  const auto leave = [&] {
    self().LeaveOut(route(home), index);
    self().Drive(without_);
  };
  auto best = Sketch::BetterThan(saved);
  // No place is cheaper than nothing if the triangle inequality holds.
  if (saved > 0 || !Sketch::kTriangle) {
    const auto placing = self().PlacingOf(moving);
    if (home_changed) leave();
    for (int other = 0; other < used_; ++other) {
      if (other == home) {
        if (home_changed && !alone) placing.On(without_, home, best);
      } else if (home_changed || route(other).changed > moving.tried) {
        placing.On(route(other).visits, other, best);
      }
    }
    if (home_changed && !alone) placing.Alone(best);
  }
  const bool found = best.route != kNowhere;
  if (found && !home_changed) leave();
  if (!found || !self().InTime(without_)) {
    moving.tried = clock_;
    return false;
  }
  TakeWithout(route(home), route(home).travel - less_travel);
  self().Insert(index, best);
  if (alone) Close(home);
  return true;
}

template <typename Sketch, typename Visit, typename Member>
bool SketchRoutes<Sketch, Visit, Member>::ExchangeTails() {
  for (int first = 0; first < used_; ++first) {
    for (int second = first + 1; second < used_; ++second) {
      if (ExchangeTailsOf(first, second)) return true;
    }
  }
  return false;
}

template <typename Sketch, typename Visit, typename Member>
bool SketchRoutes<Sketch, Visit, Member>::ExchangeTailsOf(int first, int second) {
  const Visits& p = route(first).visits;
  const Visits& q = route(second).visits;
  Ticks best = 0;
  size_t first_cut = 0, second_cut = 0;
  for (size_t i = 0; i + 1 < p.size(); ++i) {
    if (!self().MayCut(p[i])) continue;
    for (size_t j = 0; j + 1 < q.size(); ++j) {
      if (!self().MayCut(q[j])) continue;
      const Ticks there = self().Travel(p[i].place, q[j + 1].place);
      const Ticks back = self().Travel(q[j].place, p[i + 1].place);
      const Ticks change = there + back - p[i + 1].leg - q[j + 1].leg;
      if (change >= best || p[i].leave + there > q[j + 1].latest ||
          q[j].leave + back > p[i + 1].latest || !self().TailsFit(p, i, q, j)) {
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

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::MoveTails(int first, size_t first_cut, int second,
                                                    size_t second_cut) {
  Visits& p = route(first).visits;
  Visits& q = route(second).visits;
  const auto at = [](Visits& visits, size_t i) { return visits.begin() + i; };
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

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::ChooseNear(Rng& rng) {
  const uint32_t count = members_.size();
  const uint32_t blur = self().blur();
  const Member& seed = members_[rng.Below(count)];
  near_.clear();
  for (uint32_t i = 0; i < count; ++i) {
    const Ticks noise = rng.Below(blur);
    near_.emplace_back(self().Apart(seed, members_[i]) + noise, i);
  }
  const size_t taken = std::min(kTakenOut, near_.size());
  std::ranges::nth_element(near_, near_.begin() + taken - 1);
  taken_.clear();
  for (size_t i = 0; i < taken; ++i) taken_.push_back(near_[i].second);
  std::ranges::sort(taken_);
  rng.Shuffle(std::span(taken_));
}

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::TakeOut() {
  const uint64_t before = clock_;
  for (const int index : taken_) {
    const int home = member(index).route;
    Route& left = route(home);
    self().LeaveOut(left, index);
    std::swap(left.visits, without_);
    left.changed = ++clock_;
    member(index).route = -1;
    if (left.visits.size() > 2) continue;
    travel_ -= left.travel;
    Close(home);
  }
  for (int i = 0; i < used_; ++i) {
    if (route(i).changed > before) DriveAnew(i);
  }
}

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::RuinAndRecreate(int rounds, Rng& rng) {
  if (members_.empty()) return;
  if (!kept_) kept_ = std::make_unique<Sketch>(self());
  *kept_ = self();
  for (int round = 0; round < rounds; ++round) {
    ChooseNear(rng);
    TakeOut();
    const double most = kept_->Objective();
    if (self().Recreate(most) && self().Objective() <= most) {
      *kept_ = self();
    } else {
      self() = *kept_;
    }
  }
}

}  // namespace dray::delivery
