#pragma once

#include <cstdint>
#include <vector>

#include "src/base/rng.h"
#include "src/oracle/oracle.h"
#include "src/oracle/route.h"
#include "src/oracle/stop_table.h"

namespace dray {

// The state of a search: routes in slots, and who is where. Plain data; TourBook changes it.
struct Tours {
  std::vector<Route> routes;  // by slot; empty unless in `used`
  std::vector<int> used;      // slots with a vehicle
  std::vector<int> unused;
  std::vector<int> slot_of;  // by request; -1: served by nobody
  std::vector<int> absent;   // requests served by nobody
  int64_t travel = 0;
};

// Where a request goes.
struct Seat {
  static constexpr int64_t kImpossible = std::numeric_limits<int64_t>::max();

  int64_t cost = kImpossible;  // travel added, and a vehicle where one more must be paid
  int slot = -1;               // -1: a route of its own
  Insertion where;

  bool possible() const { return cost != kImpossible; }
};

// The rules by which tours of one problem change. Remembers the best place of a request on a route
// for as long as that route stays as it is: most routes do, from one round of a search to the next.
class TourBook {
 public:
  void Load(const Problem& problem);

  StopTable& table() { return table_; }
  int requests() const { return table_.requests(); }

  // At most so many vehicles from now on. At first: what the fleet says.
  void set_vehicle_limit(int limit) { vehicle_limit_ = limit; }
  int vehicle_limit() const { return vehicle_limit_; }
  // Added to the cost of each route that is opened, beyond what the fleet says: a search for few
  // vehicles opens one when it must.
  void set_reluctance(int64_t ticks) { reluctance_ = ticks; }

  // No routes, everything absent.
  void Clear(Tours& tours);
  // As much of a plan as is feasible: requests not in it, split, or broken by their window are
  // absent.
  void Adopt(const Plan& plan, Tours& tours);

  int64_t Cost(const Tours& tours) const {
    return tours.travel + VehicleCost(static_cast<int>(tours.used.size()));
  }
  int64_t VehicleCost(int vehicles) const;
  // The cost of the next route, beside its travel; Seat::kImpossible: there is none.
  int64_t OpeningCost(const Tours& tours) const;

  // The cheapest place.
  Seat Cheapest(const Tours& tours, int request);
  // The same, but one look at a route in 1 / blink_rate misses half of its positions.
  Seat CheapestBlinking(const Tours& tours, int request, double blink_rate, Rng& rng);
  const Insertion& CheapestOn(const Tours& tours, int request, int slot);
  // A route of its own.
  Seat Alone(const Tours& tours, int request);

  // Absent before, present after; `tours.absent` is the caller's to mend.
  void Insert(Tours& tours, int request, const Seat& seat);
  // Inserts what is absent, in that order, each at its cheapest place; keeps what fits nowhere.
  void InsertAbsent(Tours& tours);
  // Takes the requests of all marked nodes, which are on that route, off it; and, should travel
  // times that break the triangle inequality make the rest late, more. Adds them to `tours.absent`
  // and unmarks them.
  void RemoveMarked(Tours& tours, int slot);
  // Marks the nodes of a request for RemoveMarked.
  void Mark(int request);
  void Unmark(int request);
  // By node.
  const std::vector<uint8_t>& marks() const { return marks_; }
  // Puts another route in a slot, the same requests or fewer or more: `slot_of` is the caller's.
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
  int64_t looks_to_blink_ = -1;         // looks at a route until the next blink; -1: not drawn
  std::vector<Remembered> remembered_;  // by request and slot
  std::vector<Insertion> alone_;        // by request
  std::vector<uint8_t> marks_;          // by node
  Route empty_;
};

}  // namespace dray
