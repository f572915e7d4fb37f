#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/planning/sketch_routes.h"
#include "src/envs/dvrptw/world.h"
#include "src/routing/plan.h"

namespace dray {

// Shifts that a rider may be given: pickup earlier by early_least ... early_most, dropoff later by
// late_least ... late_most, in steps of ten minutes.
struct ShiftRange {
  int early_least = 0;
  int early_most = 0;
  int late_least = 0;
  int late_most = 0;

  // One action alone.
  static constexpr ShiftRange Of(int action) {
    const int early = 3 - action / 4, late = action % 4;
    return {early, early, late, late};
  }
  // All that a rider of this type agrees to.
  static constexpr ShiftRange Of(Flexibility type) {
    const bool early = type == Flexibility::kEarlyPickup || type == Flexibility::kBoth;
    const bool late = type == Flexibility::kLateDropoff || type == Flexibility::kBoth;
    return {0, early ? 3 : 0, 0, late ? 3 : 0};
  }
};

// A visit, and what is needed to judge a detour next to it without driving on.
struct TripVisit {
  int place = 0;
  Ticks opens = 0;
  Ticks closes = 0;
  Ticks leg = 0;        // travel from the visit before
  Ticks start = 0;      // earliest start of service
  Ticks leave = 0;      // start + service
  Ticks latest = 0;     // latest start of service that keeps everything after it in time
  int16_t load = 0;     // after this visit
  int16_t member = -1;  // whose it is; -1: the depot
};

struct SketchedTrip {
  Trip trip;        // with its windows as agreed
  Trip asked;       // what its shift is counted from
  ShiftRange open;  // that it may have
  double patience = 0;
  int route = 0;
  uint64_t tried = 0;  // when no better place was found for it
};

// A plan as it is sketched when looking ahead: trips are added one by one where they cost least,
// with the shift that pays, and quick moves improve what has come about. Travel times keep the
// triangle inequality, as those of every DeliveryWorld do.
class Sketch : public SketchRoutes<Sketch, TripVisit, SketchedTrip> {
 public:
  // Where a trip goes, and with which shift.
  struct Seat {
    double price = kImpossible;  // in ticks: travel, vehicle, and the patience of the shift
    int action = kNoShift;
    int route = -1;  // -1: one of its own
    int pickup_after = 0;
    int dropoff_after = 0;

    bool possible() const { return price < kImpossible; }
  };
  static constexpr double kImpossible = 1e18;

  // The world outlives the sketch. Patience is in minutes of cost per minute of shift.
  Sketch(const DeliveryWorld& world, double patience_weight);
  Sketch(const Sketch& other) = default;
  // Of the same world.
  Sketch& operator=(const Sketch& other);

  // A plan that is feasible for all requests of the problem, which are pairs (AddRequest).
  void Load(const Problem& problem, const Plan& plan);

  // The cheapest seat; of seats that cost the same, one with a smaller shift.
  Seat Cheapest(const Trip& trip, const ShiftRange& shifts) const;
  // Takes a possible seat of this trip and of the plan as it is now. The shift of the seat is
  // agreed on.
  void Add(const Trip& trip, const Seat& seat);
  // The same, but one of these shifts may yet be had in its place (RuinAndRecreate).
  void AddOpen(const Trip& trip, const Seat& seat, const ShiftRange& shifts);

  // Travel and vehicles in ticks, without patience.
  int64_t cost() const { return travel_ + VehicleCost(vehicles()); }
  // For the shifts of the trips that were added, in ticks.
  double patience() const { return patience_; }
  // By how much a visit can be late without making one after it late, in ticks: the mean, each
  // counted as at most kSlackCap.
  static constexpr Ticks kSlackCap = 90 * kTicksPerMinute;
  double MeanSlack() const;

  // The plan, for a problem whose requests are those loaded and then those added, in this order.
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

  double PatienceOf(int action) const {
    return patience_by_steps_[ShiftOf(action).total_min() / 10];
  }
  double Objective() const { return static_cast<double>(cost()) + patience_; }
  void GiveShift(Member& member, int action);
  View Look(const Trip& trip) const;
  void CheapestOn(const Visits& visits, int index, const View& view, const ShiftRange& shifts,
                  Seat& best) const;
  void Alone(const View& view, const ShiftRange& shifts, Seat& best) const;
  int OpenRoute();
  void Insert(int member, const Seat& seat);
  // Of SketchRoutes; an end of a route begins where nobody is on board, and a trip that is put back
  // may be given another shift, where one is open.
  void LeaveOut(const Route& route, int member);
  // Travel that a route saves without a member.
  int64_t SavedWithout(const Route& route, int member) const;
  bool RelocateOne(int member);
  bool ExchangeTailsOf(int first, int second);
  bool Recreate(double most);
  int64_t Drive(Visits& visits) const;
  Ticks Apart(const Member& a, const Member& b) const;
  static constexpr Ticks blur() { return 30 * kTicksPerMinute; }
  int64_t VehicleCost(int vehicles) const;
  Ticks Travel(int from, int to) const {
    return from_[static_cast<size_t>(from) * static_cast<size_t>(places_) +
                 static_cast<size_t>(to)];
  }

  const DeliveryWorld* world_;
  int places_;
  const Ticks* from_;                             // travel times, row by place of departure
  std::shared_ptr<const std::vector<Ticks>> to_;  // the same, row by place of arrival
  std::array<double, 7> patience_by_steps_{};     // of ten minutes, in ticks
  double patience_ = 0;
};

}  // namespace dray
