#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "src/oracle/vrptw/prize_problem.h"

namespace dray {

// Routes that answer in constant time whether a stop fits between two others. Nodes 0 ... n - 1 are
// the stops, node n is the depot.
//
// The time at which service begins at a node is a function of the time at which the vehicle leaves:
// max(earliest, leaves + offset). A release time can therefore postpone the start of a route
// without a new computation of its times.
class PrizeRoutes {
 public:
  static constexpr int kNone = -1;

  // A place for a stop: after node `after` of a route; the depot is the start of the route.
  struct Gap {
    int route = kNone;
    int after = kNone;
    int64_t cost = std::numeric_limits<int64_t>::max();  // additional travel
  };

  explicit PrizeRoutes(const PrizeProblem& problem);

  int stops() const { return depot_; }
  int depot() const { return depot_; }
  const PrizeStop& stop(int node) const { return problem_->stops[node]; }
  Ticks Travel(int from, int to) const { return travel_[int64_t{from} * (depot_ + 1) + to]; }

  // Route of a stop; kNone if it is not served.
  int RouteOf(int node) const { return nodes_[node].route; }
  int Length(int route) const { return routes_[route].length; }
  int First(int route) const { return routes_[route].first; }
  int Next(int node) const { return nodes_[node].next; }
  int Previous(int node) const { return nodes_[node].previous; }
  // Number of served stops and of routes that are not empty.
  int served() const { return served_; }
  int used_routes() const { return used_routes_; }
  int64_t travel() const { return travel_sum_; }
  std::vector<std::vector<int>> Lists() const;

  // A stop beside which another one may be inserted, and the travel between the two.
  struct Neighbour {
    int node;
    Ticks leg;
  };

  // If `node` fits right after a served stop, for less than `best` costs, makes that gap the best.
  void TryAfter(int node, const Neighbour& previous, Gap& best) const {
    const Node& before = nodes_[previous.node];
    const Ticks from = Travel(node, before.next);
    const int64_t cost = int64_t{previous.leg} + from - before.leg;
    if (cost < best.cost) Try(node, before.route, previous.node, previous.leg, from, cost, best);
  }
  // Does the same right before a served stop.
  void TryBefore(int node, const Neighbour& next, Gap& best) const {
    const Node& after = nodes_[next.node];
    const Ticks to = Travel(after.previous, node);
    const int64_t cost = int64_t{to} + next.leg - after.leg_before;
    if (cost < best.cost) Try(node, after.route, after.previous, to, next.leg, cost, best);
  }
  // Does the same for a route of its own.
  void TryAlone(int node, Gap& best) const;

  void Insert(int node, const Gap& gap);
  // Replaces the stops of a route, which belong to no other route.
  void Assign(int route, std::span<const int> stops);
  // Removes the stops from `position` on, `count` of them, except those from `kept` on,
  // `kept_count` of them, and appends the removed ones.
  void RemoveString(int route, int position, int count, int kept, int kept_count,
                    std::vector<int>& removed);

 private:
  static constexpr Ticks kNever = std::numeric_limits<Ticks>::min() / 2;

  struct Node {
    int next = kNone;
    int previous = kNone;
    int route = kNone;
    Ticks leg = 0;         // travel to the next node
    Ticks leg_before = 0;  // travel from the previous node
    Ticks earliest = 0;    // start of service, however early the vehicle leaves
    Ticks offset = 0;      // driving and service between the depot and this node
    Ticks leaves_by = 0;   // latest departure that is in time for all nodes up to this one
    Ticks latest = 0;      // latest start of service that is in time for all nodes from this one on
  };
  struct Route {
    int first = kNone;
    int length = 0;
    int load = 0;
    Ticks leaves = 0;
    Ticks leaves_by = kMaxTicks;
    int64_t travel = 0;
  };
  // The fields of a stop that a check reads, close together in memory.
  struct Window {
    Ticks opens, closes, service, release, leaves_by;
    int load;
  };

  void Try(int node, int route, int after, Ticks to, Ticks from, int64_t cost, Gap& best) const;
  void Connect(int previous, int node);
  // Computes what depends on the nodes before this one, from it to the end of its route.
  void PassForward(int node);
  // Computes what depends on the nodes after this one, from it to the start of its route.
  void PassBackward(int node);
  // Links the nodes of list_ as this route and computes its times.
  void Link(int route);
  void ReadList(int route);

  const PrizeProblem* problem_;
  int depot_;
  std::vector<Ticks> travel_;  // [from, to] by node
  std::vector<Window> windows_;
  std::vector<Node> nodes_;
  std::vector<Route> routes_;
  std::vector<int> empty_routes_;
  std::vector<int> list_;  // scratch
  int served_ = 0;
  int used_routes_ = 0;
  int64_t travel_sum_ = 0;
};

}  // namespace dray
