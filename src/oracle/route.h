#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/oracle/stop_table.h"

namespace dray {

// One visit of a route and all that is needed to judge a detour next to it without driving on.
struct RouteNode {
  int node = 0;
  Ticks leg = 0;     // travel from the visit before
  Ticks start = 0;   // earliest start of service
  Ticks leave = 0;   // start + service
  Ticks latest = 0;  // latest start of service that keeps everything after it in time
  int load = 0;      // after this visit
  int peak = 0;      // highest load from here to the end
  int open = 0;      // pairs on board after this visit
};

// Where a request may go on a route: after which visits (as numbered before inserting; a delivery
// after the same visit as its pickup follows it directly), and what that adds to the travel.
struct Insertion {
  static constexpr Ticks kImpossible = std::numeric_limits<Ticks>::max();

  Ticks cost = kImpossible;
  int16_t pickup_after = 0;
  int16_t delivery_after = 0;

  bool possible() const { return cost != kImpossible; }
};

// The visits of one vehicle, from the depot to the depot. Waiting is free, a vehicle starts as
// early as it can. Searching a place for a request asks O(1) per pair of positions; it takes for
// granted that a detour is no shortcut (where travel times break the triangle inequality, places
// may be missed, but none is wrong).
class Route {
 public:
  Route() = default;

  // Depot to depot, room for every stop.
  void Clear(const StopTable& table);
  // Drives these stops. Returns whether that is feasible; a route that is not may not be used
  // before another Assign or an Erase that returns true.
  bool Assign(const StopTable& table, std::span<const int> stops);

  bool empty() const { return nodes_.size() == 2; }
  int stops() const { return static_cast<int>(nodes_.size()) - 2; }
  // With the depot at both ends.
  const std::vector<RouteNode>& nodes() const { return nodes_; }
  int64_t travel() const { return travel_; }
  // The first visit that comes too late or overloads the vehicle; 0 if there is none.
  int broken() const { return broken_; }

  // The place that adds least travel.
  Insertion Cheapest(const RequestView& request, int capacity) const;
  // The same, but every other position is overlooked, at random.
  Insertion CheapestBlinking(const RequestView& request, int capacity, Rng& rng) const;

  void Insert(const StopTable& table, const RequestView& request, const Insertion& where);
  // Drops the visits to nodes that are marked. Returns whether the rest is feasible, which only
  // travel times that break the triangle inequality prevent.
  bool Erase(const StopTable& table, std::span<const uint8_t> marked);

  // A number that is another one whenever the visits are; kept by the owner.
  uint64_t version = 0;

 private:
  template <typename Skip>
  Insertion CheapestPair(const RequestView& request, int capacity, Skip skip) const;
  template <typename Skip>
  Insertion CheapestSingle(const RequestView& request, int capacity, Skip skip) const;
  // Everything but the nodes' numbers, which have changed from `from` on.
  void Refresh(const StopTable& table, int from);

  std::vector<RouteNode> nodes_;
  int64_t travel_ = 0;
  int broken_ = 0;
};

}  // namespace dray
