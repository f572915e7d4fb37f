#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "src/envs/delivery/planning/sketch_routes.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray::dvrptw_offer {

// A visit with the times needed to price a detour next to it without driving the whole route.
struct StopVisit {
  int place = 0;
  Ticks opens = 0;
  Ticks closes = 0;
  Ticks service = 0;
  Ticks leg = 0;     // travel from the visit before
  Ticks leave = 0;   // earliest end of service
  Ticks latest = 0;  // latest start of service that keeps everything after it in time
  int load = 0;      // load of this stop
  int so_far = 0;    // load of all stops up to this one
  int member = -1;   // stop that it serves; -1: the depot
};

struct SketchedStop {
  Stop stop;  // has the agreed window
  int route = 0;
  uint64_t tried = 0;  // when the last search found no better place
};

// A rough plan of single stops for looking ahead: stops are added one by one where they cost least,
// and quick moves improve the result.
class StopSketch : public delivery::SketchRoutes<StopSketch, StopVisit, SketchedStop> {
 public:
  // Time window of a stop; empty if it closes before it opens.
  struct Window {
    Ticks opens = 0;
    Ticks closes = 0;
  };
  // Place of a stop on a route.
  struct Seat {
    int64_t price = kImpossible;  // ticks of travel and vehicle
    int route = -1;               // -1: one of its own
    int after = 0;

    bool possible() const { return price < kImpossible; }
  };
  static constexpr int64_t kImpossible = int64_t{1} << 60;

  // Loads a plan that serves all requests of the problem, which are single stops. Uses the travel
  // times of the problem, which must outlive the sketch.
  void Load(const Problem& problem, const Plan& plan);
  // Replaces the travel times, given row by row. They must outlive the sketch and be the same
  // between all places that the plan visits.
  void set_travel(std::span<const Ticks> travel) { travel_times_ = travel.data(); }

  // Finds the cheapest seat of a stop in each of these windows.
  void Cheapest(const Stop& stop, std::span<const Window> windows, std::span<Seat> seats) const;
  // Adds a stop with its agreed window at a seat that Cheapest returned for the current plan.
  void Add(const Stop& stop, const Seat& seat);

  // Cost of travel and vehicles in ticks.
  int64_t cost() const { return travel_ + VehicleCost(vehicles()); }

  // Returns the plan for a problem whose requests are the loaded and then the added ones, in order.
  Plan ToPlan() const;

 private:
  friend SketchRoutes;
  using Visit = StopVisit;
  using Member = SketchedStop;

  // Prices seats of a stop that keeps its window.
  struct Placing {
    void On(const Visits& visits, int index, Seat& best) const {
      if (LoadOf(visits) + stop.load > sketch.fleet_.capacity) return;
      sketch.CheapestOn(visits, index, stop, {&window, 1}, {&best, 1});
    }
    void Alone(Seat& best) const { sketch.Alone(stop, {&window, 1}, {&best, 1}); }

    const StopSketch& sketch;
    const Stop& stop;
    Window window;
  };

  // See SketchRoutes.
  static constexpr size_t kVisitsPerMember = 1;
  // Files need not obey the triangle inequality: leaving out a stop may make others late.
  static constexpr bool kTriangle = false;
  bool InTime(const Visits& visits) const { return visits[0].latest >= day_.opens; }
  static Seat BetterThan(int64_t saved) { return {.price = saved, .route = kNowhere, .after = 0}; }
  Placing PlacingOf(const Member& member) const {
    return {*this, member.stop, {member.stop.opens, member.stop.closes}};
  }
  static bool MayCut(const Visit& /*visit*/) { return true; }
  bool TailsFit(const Visits& p, size_t i, const Visits& q, size_t j) const {
    return p[i].so_far + LoadOf(q) - q[j].so_far <= fleet_.capacity &&
           q[j].so_far + LoadOf(p) - p[i].so_far <= fleet_.capacity;
  }
  void LeaveOut(const Route& route, int member);
  void Insert(int member, const Seat& seat);
  int64_t Drive(Visits& visits) const;
  bool Recreate(double most);
  int64_t Objective() const { return cost(); }
  Ticks Apart(const Member& a, const Member& b) const;
  Ticks blur() const { return std::max(1, (day_.closes - day_.opens) / 8); }
  Ticks Travel(int from, int to) const { return travel_times_[int64_t{from} * places_ + to]; }
  const Fleet& fleet() const { return fleet_; }

  static int LoadOf(const Visits& visits) { return visits.back().so_far; }
  void CheapestOn(const Visits& visits, int index, const Stop& stop,
                  std::span<const Window> windows, std::span<Seat> seats) const;
  void Alone(const Stop& stop, std::span<const Window> windows, std::span<Seat> seats) const;
  int OpenRoute();

  const Ticks* travel_times_ = nullptr;
  int places_ = 0;
  int depot_ = 0;
  Window day_;  // the depot's window
  Fleet fleet_;
};

}  // namespace dray::dvrptw_offer
