#pragma once

#include <cstdint>
#include <vector>

#include "src/base/rng.h"
#include "src/oracle/oracle.h"
#include "src/oracle/route.h"
#include "src/oracle/stop_table.h"

namespace dray {

// State of a search: routes in slots and the slot of each request. Plain data, changed by TourBook.
struct Tours {
  std::vector<Route> routes;  // indexed by slot; empty unless in `used`
  std::vector<int> used;      // slots with a vehicle
  std::vector<int> unused;
  std::vector<int> slot_of;  // indexed by request; -1: unserved
  std::vector<int> absent;   // unserved requests
  int64_t travel = 0;
};

// Place of a request in the tours.
struct Seat {
  static constexpr int64_t kImpossible = std::numeric_limits<int64_t>::max();

  int64_t cost = kImpossible;  // added travel, plus a vehicle if one more must be paid for
  int slot = -1;               // -1: a new route
  Insertion where;

  bool possible() const { return cost != kImpossible; }
};

// Changes the tours of one problem according to its rules. Caches the best place of a request on a
// route until that route changes: most routes stay the same from one round of a search to the next.
class TourBook {
 public:
  void Load(const Problem& problem);

  StopTable& table() { return table_; }
  int requests() const { return table_.requests(); }

  // Limits the number of vehicles. Initially the size of the fleet.
  void set_vehicle_limit(int limit) { vehicle_limit_ = limit; }
  int vehicle_limit() const { return vehicle_limit_; }
  // Extra cost of opening a route, on top of the fleet's. Searches for few vehicles set it high.
  void set_reluctance(int64_t ticks) { reluctance_ = ticks; }

  // Removes all routes; every request becomes absent.
  void Clear(Tours& tours);
  // Takes over the feasible part of a plan. Requests that are missing, split or outside their
  // window become absent.
  void Adopt(const Plan& plan, Tours& tours);

  int64_t Cost(const Tours& tours) const { return tours.travel + VehicleCost(tours.used.size()); }
  int64_t VehicleCost(int vehicles) const;
  // Returns the cost of opening a route, without its travel; Seat::kImpossible at the limit.
  int64_t OpeningCost(const Tours& tours) const;

  // Returns the cheapest place for a request.
  Seat Cheapest(const Tours& tours, int request);
  // Same as Cheapest, but a share `blink_rate` of the route scans skips half of the positions.
  Seat CheapestBlinking(const Tours& tours, int request, double blink_rate, Rng& rng);
  const Insertion& CheapestOn(const Tours& tours, int request, int slot);
  // Returns the cost of a new route for the request alone.
  Seat Alone(const Tours& tours, int request);

  // Inserts an absent request. The caller must update `tours.absent`.
  void Insert(Tours& tours, int request, const Seat& seat);
  // Inserts absent requests in order, each at its cheapest place. Those that fit nowhere stay.
  void InsertAbsent(Tours& tours);
  // Removes the requests of all marked nodes from the route they are on, adds them to
  // `tours.absent` and unmarks them. Removes more if travel times that break the triangle
  // inequality make the rest late.
  void RemoveMarked(Tours& tours, int slot);
  // Marks the nodes of a request for RemoveMarked.
  void Mark(int request);
  void Unmark(int request);
  // Marks, indexed by node.
  const std::vector<uint8_t>& marks() const { return marks_; }
  // Replaces the route of a slot. The caller must update `slot_of`.
  void Replace(Tours& tours, int slot, const Route& route);

  PlanCost CostOf(const Tours& tours) const;
  OracleAnswer Answer(const Tours& tours) const;

 private:
  struct Remembered {
    uint64_t version = 0;
    Insertion where;
  };

  StopTable table_;
  int vehicle_limit_ = 0;
  int64_t reluctance_ = 0;
  uint64_t versions_ = 0;
  int64_t looks_to_blink_ = -1;         // route scans until the next blink; -1: not drawn
  std::vector<Remembered> remembered_;  // indexed by request and slot
  std::vector<Insertion> alone_;        // indexed by request
  std::vector<uint8_t> marks_;          // indexed by node
  Route empty_;
};

}  // namespace dray
