#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/base/rng.h"
#include "src/routing/problem.h"

namespace dray {

// What sketches of trips and of single stops have in common: routes in flat memory, and the moves
// that improve them. Copying is cheap, and nothing is allocated once the memory has grown.
//
// A Visit names its member (-1: the depot), a Member its route and when it was last `tried`. The
// sketch itself says what differs:
//   Drive(visits)               times of visits whose places and windows are right; their travel
//   LeaveOut(route, member)     the visits of a route without a member's, in without_; not driven
//   RelocateOne(member)         moves it to a better place; whether there is one
//   ExchangeTailsOf(one, other) exchanges all that follows a visit in each; whether that pays
//   Apart(a, b)                 how far two members are from each other, in ticks
//   blur()                      by up to how much of that chance makes others near, in ticks
//   Recreate(most)              puts taken_ back; false where one finds no place, or where it sees
//                               on the way that the objective will be above `most`
//   Objective()                 what is kept low
template <typename Sketch, typename Visit, typename Member>
class SketchRoutes {
 public:
  int vehicles() const { return used_; }

  // Improves the plan until no such move is left: single members to better places, two routes
  // exchanging their ends.
  void Improve() {
    do Relocate();
    while (ExchangeTails());
  }
  // Rounds of ruin and recreate: a few members that are near each other are taken out and put back,
  // and that is kept when the objective is no higher. The chance is the rng's alone, so that two
  // plans can have the same.
  void RuinAndRecreate(int rounds, Rng& rng);

 protected:
  using Visits = std::vector<Visit>;  // with the depot at both ends
  struct Route {
    Visits visits;
    int64_t travel = 0;
    uint64_t changed = 0;  // when it was last changed, by clock_
  };

  SketchRoutes() = default;
  SketchRoutes(const SketchRoutes& other) { *this = other; }
  SketchRoutes& operator=(const SketchRoutes& other);

  void Clear();
  // A route of two such visits.
  int Open(const Visit& depot);
  void Close(int index);
  void DriveAnew(int index);
  // Makes without_ the visits of a route.
  void TakeWithout(Route& route, int64_t travel);
  void MoveTails(int first, size_t first_cut, int second, size_t second_cut);

  Route& route(int index) { return routes_[index]; }
  const Route& route(int index) const { return routes_[index]; }
  Member& member(int index) { return members_[index]; }

  std::vector<Route> routes_;  // the first used_ of them
  int used_ = 0;
  std::vector<Member> members_;
  int64_t travel_ = 0;
  uint64_t clock_ = 0;
  Visits without_;
  std::vector<int> taken_;  // members, by a round of ruin and recreate

 private:
  static constexpr size_t kTakenOut = 6;

  void Relocate();
  bool ExchangeTails();
  // Fills taken_ with a random member and those nearest to it.
  void ChooseNear(Rng& rng);
  void TakeOut();
  Sketch& self() { return static_cast<Sketch&>(*this); }

  Visits tail_;
  std::vector<std::pair<Ticks, int>> near_;
  std::unique_ptr<Sketch> kept_;  // what a round of ruin and recreate may fall back on
};

template <typename Sketch, typename Visit, typename Member>
SketchRoutes<Sketch, Visit, Member>& SketchRoutes<Sketch, Visit, Member>::operator=(
    const SketchRoutes& other) {
  used_ = other.used_;
  travel_ = other.travel_;
  clock_ = other.clock_;
  members_ = other.members_;
  if (routes_.size() < static_cast<size_t>(used_)) routes_.resize(used_);
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
  if (static_cast<size_t>(used_) == routes_.size()) routes_.emplace_back();
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
    for (int i = 0; i < static_cast<int>(members_.size()); ++i) {
      const bool any_changed = clock_ > member(i).tried;
      moved |= any_changed && self().RelocateOne(i);
    }
  }
}

template <typename Sketch, typename Visit, typename Member>
bool SketchRoutes<Sketch, Visit, Member>::ExchangeTails() {
  for (int first = 0; first < used_; ++first) {
    for (int second = first + 1; second < used_; ++second) {
      if (self().ExchangeTailsOf(first, second)) return true;
    }
  }
  return false;
}

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::MoveTails(int first, size_t first_cut, int second,
                                                    size_t second_cut) {
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

template <typename Sketch, typename Visit, typename Member>
void SketchRoutes<Sketch, Visit, Member>::ChooseNear(Rng& rng) {
  const uint32_t count = members_.size();
  const uint32_t blur = self().blur();
  const Member& seed = members_[rng.Below(count)];
  near_.clear();
  for (uint32_t i = 0; i < count; ++i) {
    near_.emplace_back(self().Apart(seed, members_[i]) + static_cast<Ticks>(rng.Below(blur)),
                       static_cast<int>(i));
  }
  const size_t taken = std::min(kTakenOut, near_.size());
  std::ranges::nth_element(near_, near_.begin() + static_cast<std::ptrdiff_t>(taken) - 1);
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

}  // namespace dray
