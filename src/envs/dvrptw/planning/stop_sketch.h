#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/base/rng.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// What Sketch is to trips, for single stops: a plan in flat memory, to which stops are added one by
// one where they cost least, and which quick moves improve. Copying one is cheap, and nothing is
// allocated once its memory has grown.
class StopSketch {
 public:
  // When a stop may be served; none when it closes before it opens.
  struct Window {
    Ticks opens = 0;
    Ticks closes = 0;
  };
  // Where a stop goes.
  struct Seat {
    int64_t price = kImpossible;  // in ticks: travel and vehicle
    int route = -1;               // -1: one of its own
    int after = 0;

    bool possible() const { return price < kImpossible; }
  };
  static constexpr int64_t kImpossible = int64_t{1} << 60;

  StopSketch() = default;
  StopSketch(const StopSketch& other) { *this = other; }
  StopSketch& operator=(const StopSketch& other);

  // A plan that is feasible for all requests of the problem, which are single stops. Travel times
  // are the problem's, which outlives the sketch.
  void Load(const Problem& problem, const Plan& plan);
  // Other travel times, row by row, which outlive the sketch: the same between all places that the
  // plan visits.
  void set_travel(std::span<const Ticks> travel) { travel_times_ = travel.data(); }

  // The cheapest seat of a stop in each of these windows.
  void Cheapest(const Stop& stop, std::span<const Window> windows, std::span<Seat> seats) const;
  // Takes a possible seat of this stop, with its window as agreed, and of the plan as it is now.
  void Add(const Stop& stop, const Seat& seat);

  // Improves the plan until no such move is left: single stops to better places, two routes
  // exchanging all that follows a visit.
  void Improve();
  // Rounds of ruin and recreate, as Sketch has them.
  void RuinAndRecreate(int rounds, Rng& rng);

  // Travel and vehicles in ticks.
  int64_t cost() const { return travel_ + VehicleCost(vehicles()); }
  int vehicles() const { return used_; }

  // The plan, for a problem whose requests are those loaded and then those added, in this order.
  Plan ToPlan() const;

 private:
  // A visit, and what is needed to judge a detour next to it without driving on.
  struct Visit {
    int place = 0;
    Ticks opens = 0;
    Ticks closes = 0;
    Ticks service = 0;
    Ticks leg = 0;     // travel from the visit before
    Ticks leave = 0;   // earliest end of service
    Ticks latest = 0;  // latest start of service that keeps everything after it in time
    int load = 0;      // of this stop
    int so_far = 0;    // of all stops up to this one
    int member = -1;   // index into members_; -1: the depot
  };
  using Visits = std::vector<Visit>;  // with the depot at both ends
  struct Route {
    Visits visits;
    int64_t travel = 0;
    uint64_t changed = 0;  // when it was last changed, by clock_

    int load() const { return visits.back().so_far; }
  };
  struct Member {
    Stop stop;  // with its window as agreed
    int route = 0;
    uint64_t tried = 0;  // when no better place was found for it
  };

  void CheapestOn(const Visits& visits, int index, const Stop& stop,
                  std::span<const Window> windows, std::span<Seat> seats) const;
  void Alone(const Stop& stop, std::span<const Window> windows, std::span<Seat> seats) const;
  int Open();
  void Close(int index);
  void Insert(int member, const Seat& seat);
  // The visits of a route without one stop, in without_; returns their travel.
  int64_t LeaveOut(const Route& route, int member);
  // Makes without_ the visits of a route.
  void TakeWithout(Route& route, int64_t travel);
  bool RelocateOne(int member);
  void Relocate();
  bool ExchangeTails();
  bool ExchangeTailsOf(int first, int second);
  void MoveTails(int first, size_t first_cut, int second, size_t second_cut);
  // Fills taken_ with a random stop and those nearest to it in place and time.
  void ChooseNear(Rng& rng);
  void TakeOut(int member);
  // Puts taken_ back; whether all of them found a place.
  bool Recreate();
  // Times of visits whose places and windows are right; returns their travel.
  int64_t Drive(Visits& visits) const;
  // Without the triangle inequality, which files need not keep, leaving out a stop may make others
  // late.
  bool InTime(const Visits& visits) const { return visits[0].latest >= day_.opens; }
  void DriveAnew(int index);
  int64_t VehicleCost(int vehicles) const;
  Ticks Travel(int from, int to) const {
    return travel_times_[static_cast<size_t>(from) * static_cast<size_t>(places_) +
                         static_cast<size_t>(to)];
  }
  Route& route(int index) { return routes_[static_cast<size_t>(index)]; }
  Member& member(int index) { return members_[static_cast<size_t>(index)]; }

  const Ticks* travel_times_ = nullptr;
  int places_ = 0;
  int depot_ = 0;
  Window day_;  // the depot's
  Fleet fleet_;
  std::vector<Route> routes_;  // the first used_ of them
  int used_ = 0;
  std::vector<Member> members_;
  int64_t travel_ = 0;
  uint64_t clock_ = 0;

  Visits without_, tail_;
  std::vector<int> taken_;
  std::vector<std::pair<Ticks, int>> near_;
  std::unique_ptr<StopSketch> kept_;  // what a round of ruin and recreate may fall back on
};

}  // namespace dray
