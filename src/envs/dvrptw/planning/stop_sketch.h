#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "src/envs/dvrptw/planning/sketch_routes.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// A visit, and what is needed to judge a detour next to it without driving on.
struct StopVisit {
  int place = 0;
  Ticks opens = 0;
  Ticks closes = 0;
  Ticks service = 0;
  Ticks leg = 0;     // travel from the visit before
  Ticks leave = 0;   // earliest end of service
  Ticks latest = 0;  // latest start of service that keeps everything after it in time
  int load = 0;      // of this stop
  int so_far = 0;    // of all stops up to this one
  int member = -1;   // whose it is; -1: the depot
};

struct SketchedStop {
  Stop stop;  // with its window as agreed
  int route = 0;
  uint64_t tried = 0;  // when no better place was found for it
};

// What Sketch is to trips, for single stops.
class StopSketch : public SketchRoutes<StopSketch, StopVisit, SketchedStop> {
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

  // Travel and vehicles in ticks.
  int64_t cost() const { return travel_ + VehicleCost(vehicles()); }

  // The plan, for a problem whose requests are those loaded and then those added, in this order.
  Plan ToPlan() const;

 private:
  friend SketchRoutes;
  using Visit = StopVisit;
  using Member = SketchedStop;

  static int LoadOf(const Route& route) { return route.visits.back().so_far; }
  void CheapestOn(const Visits& visits, int index, const Stop& stop,
                  std::span<const Window> windows, std::span<Seat> seats) const;
  void Alone(const Stop& stop, std::span<const Window> windows, std::span<Seat> seats) const;
  int OpenRoute();
  void Insert(int member, const Seat& seat);
  // Of SketchRoutes.
  void LeaveOut(const Route& route, int member);
  bool RelocateOne(int member);
  bool ExchangeTailsOf(int first, int second);
  bool Recreate(double most);
  int64_t Drive(Visits& visits) const;
  int64_t Objective() const { return cost(); }
  Ticks Apart(const Member& a, const Member& b) const;
  Ticks blur() const { return std::max(1, (day_.closes - day_.opens) / 8); }
  // Without the triangle inequality, which files need not keep, leaving out a stop may make others
  // late.
  bool InTime(const Visits& visits) const { return visits[0].latest >= day_.opens; }
  int64_t VehicleCost(int vehicles) const;
  Ticks Travel(int from, int to) const {
    return travel_times_[static_cast<size_t>(from) * static_cast<size_t>(places_) +
                         static_cast<size_t>(to)];
  }

  const Ticks* travel_times_ = nullptr;
  int places_ = 0;
  int depot_ = 0;
  Window day_;  // the depot's
  Fleet fleet_;
};

}  // namespace dray
