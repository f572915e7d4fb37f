#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/oracle/stop_table.h"

namespace dray {

// A visit of a route, with everything needed to price a detour next to it in constant time.
struct RouteNode {
  int node = 0;
  Ticks leg = 0;     // travel from the visit before
  Ticks start = 0;   // earliest start of service
  Ticks leave = 0;   // start + service
  Ticks latest = 0;  // latest start of service that keeps everything after it in time
  int load = 0;      // load after this visit
  int peak = 0;      // highest load from here to the end
  int open = 0;      // pairs on board after this visit
};

// Place of a request on a route: the visits it follows, as numbered before inserting, and the
// travel it adds. A delivery after the same visit as its pickup follows the pickup directly.
struct Insertion {
  static constexpr Ticks kImpossible = std::numeric_limits<Ticks>::max();

  Ticks cost = kImpossible;
  int16_t pickup_after = 0;
  int16_t delivery_after = 0;

  bool possible() const { return cost != kImpossible; }
};

// Visits of one vehicle, from depot to depot. Waiting is free and vehicles start as early as
// possible. Searching a place for a request takes O(1) per pair of positions. The search assumes
// the triangle inequality: without it, it may miss feasible places but never returns infeasible
// ones.
class Route {
 public:
  Route() = default;

  // Makes the route empty and reserves room for every stop.
  void Clear(const StopTable& table);
  // Visits these stops in order. Returns false if that is infeasible; the route must then not be
  // used until another Assign or an Erase returns true.
  bool Assign(const StopTable& table, std::span<const int> stops);

  bool empty() const { return nodes_.size() == 2; }
  int stops() const { return std::ssize(nodes_) - 2; }
  // All visits, including the depot at both ends.
  const std::vector<RouteNode>& nodes() const { return nodes_; }
  int64_t travel() const { return travel_; }
  // Index of the first visit that is late or overloads the vehicle; 0 if there is none.
  int broken() const { return broken_; }

  // Returns the place that adds the least travel.
  Insertion Cheapest(const RequestView& request, int capacity) const;
  // Same as Cheapest, but skips every other position at random.
  Insertion CheapestBlinking(const RequestView& request, int capacity, Rng& rng) const;

  void Insert(const StopTable& table, const RequestView& request, const Insertion& where);
  // Drops the visits to marked nodes. Returns false if the rest is infeasible, which can only
  // happen if travel times break the triangle inequality.
  bool Erase(const StopTable& table, std::span<const uint8_t> marked);

  // Changes whenever the visits change; maintained by the owner.
  uint64_t version = 0;

 private:
  template <typename Skip>
  Insertion CheapestPair(const RequestView& request, int capacity, Skip skip) const;
  template <typename Skip>
  Insertion CheapestSingle(const RequestView& request, int capacity, Skip skip) const;
  // Recomputes everything after the node numbers have changed from index `from` on.
  void Refresh(const StopTable& table, int from);

  std::vector<RouteNode> nodes_;
  int64_t travel_ = 0;
  int broken_ = 0;
};

}  // namespace dray
