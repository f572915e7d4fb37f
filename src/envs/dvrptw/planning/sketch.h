#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/delivery/planning/sketch_routes.h"
#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/world.h"
#include "src/routing/plan.h"

namespace dray::dvrptw {

// Shifts that a rider may be given, in steps of ten minutes: pickup earlier by early_least to
// early_most, dropoff later by late_least to late_most.
struct ShiftRange {
  int early_least = 0;
  int early_most = 0;
  int late_least = 0;
  int late_most = 0;

  // Returns the shift of a single action.
  static constexpr ShiftRange Of(int action) {
    const int early = 3 - action / 4, late = action % 4;
    return {early, early, late, late};
  }
  // Returns all shifts that a rider of this type agrees to.
  static constexpr ShiftRange Of(Flexibility type) {
    const bool early = type == Flexibility::kEarlyPickup || type == Flexibility::kBoth;
    const bool late = type == Flexibility::kLateDropoff || type == Flexibility::kBoth;
    return {0, early ? 3 : 0, 0, late ? 3 : 0};
  }
};

// A visit with the times needed to price a detour next to it without driving the whole route.
struct TripVisit {
  int place = 0;
  Ticks opens = 0;
  Ticks closes = 0;
  Ticks leg = 0;        // travel from the visit before
  Ticks start = 0;      // earliest start of service
  Ticks leave = 0;      // start + service
  Ticks latest = 0;     // latest start of service that keeps everything after it in time
  int16_t load = 0;     // load after this visit
  int16_t member = -1;  // trip that it serves; -1: the depot
};

struct SketchedTrip {
  Trip trip;        // has the agreed windows
  Trip asked;       // has the windows before the shift
  ShiftRange open;  // shifts that it may have
  double patience = 0;
  int route = 0;
  uint64_t tried = 0;  // when the last search found no better place
};

// A rough plan of trips for looking ahead: trips are added one by one where they cost least, with
// the shift that pays, and quick moves improve the result. Travel times must obey the triangle
// inequality, as those of every World do.
class Sketch : public delivery::SketchRoutes<Sketch, TripVisit, SketchedTrip> {
 public:
  // Place and shift of a trip.
  struct Seat {
    double price = kImpossible;  // ticks of travel, vehicle and patience
    int action = kNoShift;
    int route = -1;  // -1: one of its own
    int pickup_after = 0;
    int dropoff_after = 0;

    bool possible() const { return price < kImpossible; }
  };
  static constexpr double kImpossible = 1e18;

  // The world outlives the sketch. Patience is in minutes of cost per minute of shift.
  Sketch(const World& world, double patience_weight);
  Sketch(const Sketch& other) = default;
  // Both sketches must have the same world.
  Sketch& operator=(const Sketch& other);

  // Loads a plan that serves all requests of the problem, which are pairs (AddRequest).
  void Load(const Problem& problem, const Plan& plan);

  // Returns the cheapest seat; among equal ones, one with a smaller shift.
  Seat Cheapest(const Trip& trip, const ShiftRange& shifts) const;
  // Adds a trip at a seat that Cheapest returned for the current plan. Its shift is final.
  void Add(const Trip& trip, const Seat& seat);
  // Adds a trip whose shift RuinAndRecreate may replace by another one of `shifts`.
  void AddOpen(const Trip& trip, const Seat& seat, const ShiftRange& shifts);

  // Cost of travel and vehicles in ticks, without patience.
  int64_t cost() const { return travel_ + VehicleCost(vehicles()); }
  // Patience for the shifts of the added trips, in ticks.
  double patience() const { return patience_; }
  // Mean delay in ticks that a visit can take without making a later one late; each visit counts
  // with at most kSlackCap.
  static constexpr Ticks kSlackCap = 90 * kTicksPerMinute;
  double MeanSlack() const;

  // Returns the plan for a problem whose requests are the loaded and then the added ones, in order.
  Plan ToPlan() const;

 private:
  friend SketchRoutes;
  using Visit = TripVisit;
  using Member = SketchedTrip;

  // A trip with its travel times from and to every place.
  struct View {
    const Trip& trip;
    const Ticks* to_pickup;
    const Ticks* from_pickup;
    const Ticks* to_dropoff;
    const Ticks* from_dropoff;
    Ticks ride;
  };

  // Prices seats of a trip that keeps its windows.
  struct Placing {
    void On(const Visits& visits, int index, Seat& best) const {
      sketch.CheapestOn(visits, index, view, {}, best);
    }
    void Alone(Seat& best) const { sketch.Alone(view, {}, best); }

    const Sketch& sketch;
    View view;
  };

  // See SketchRoutes. A route may be cut where nobody is on board; a trip that is put back may be
  // given another shift if one is open.
  static constexpr size_t kVisitsPerMember = 2;
  static constexpr bool kTriangle = true;
  static bool InTime(const Visits& /*visits*/) { return true; }
  static Seat BetterThan(int64_t saved);
  Placing PlacingOf(const Member& member) const { return {*this, Look(member.trip)}; }
  static bool MayCut(const Visit& visit) { return visit.load == 0; }
  static bool TailsFit(const Visits& /*p*/, size_t /*i*/, const Visits& /*q*/, size_t /*j*/) {
    return true;
  }
  void LeaveOut(const Route& route, int member);
  void Insert(int member, const Seat& seat);
  int64_t Drive(Visits& visits) const;
  bool Recreate(double most);
  double Objective() const { return cost() + patience_; }
  Ticks Apart(const Member& a, const Member& b) const;
  static constexpr Ticks blur() { return 30 * kTicksPerMinute; }
  Ticks Travel(int from, int to) const { return from_[int64_t{from} * places_ + to]; }
  const Fleet& fleet() const { return world_->fleet; }

  double PatienceOf(int action) const {
    return patience_by_steps_[ShiftOf(action).total_min() / 10];
  }
  void GiveShift(Member& member, int action);
  View Look(const Trip& trip) const;
  void CheapestOn(const Visits& visits, int index, const View& view, const ShiftRange& shifts,
                  Seat& best) const;
  void Alone(const View& view, const ShiftRange& shifts, Seat& best) const;
  int OpenRoute();

  const World* world_;
  int places_;
  const Ticks* from_;                             // travel times by departure, then arrival
  std::shared_ptr<const std::vector<Ticks>> to_;  // travel times by arrival, then departure
  std::array<double, 7> patience_by_steps_{};     // ticks, by number of ten-minute steps
  double patience_ = 0;
};

}  // namespace dray::dvrptw
