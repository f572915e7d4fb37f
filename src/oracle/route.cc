#include "src/oracle/route.h"

#include <algorithm>

namespace dray {
namespace {

// Returns when a vehicle that arrives at `arrival` leaves the stop.
Ticks Leave(const Stop& stop, Ticks arrival) {
  return std::max(arrival, stop.opens) + stop.service;
}

// Positions fit in 16 bits: StopTable::Load checks that.
Insertion InsertionAt(Ticks cost, int pickup_after, int delivery_after) {
  Insertion where;
  where.cost = cost;
  where.pickup_after = pickup_after;
  where.delivery_after = delivery_after;
  return where;
}

}  // namespace

void Route::Clear(const StopTable& table) {
  nodes_.reserve(table.depot() + 2);
  nodes_.resize(2);
  nodes_[0].node = nodes_[1].node = table.depot();
  Refresh(table, 1);
}

bool Route::Assign(const StopTable& table, std::span<const int> stops) {
  nodes_.resize(stops.size() + 2);
  nodes_.front().node = nodes_.back().node = table.depot();
  for (size_t i = 0; i < stops.size(); ++i) nodes_[i + 1].node = stops[i];
  Refresh(table, 1);
  return broken_ == 0;
}

void Route::Refresh(const StopTable& table, int from) {
  const int last = std::ssize(nodes_) - 1;
  const int capacity = table.capacity();
  if (from <= 1) {
    const int depot = nodes_[0].node;
    nodes_[0] = {};
    nodes_[0].node = depot;
    nodes_[0].start = nodes_[0].leave = table.node(depot).opens;
    from = 1;
  }
  broken_ = 0;
  for (int i = from; i <= last; ++i) {
    const RouteNode& before = nodes_[i - 1];
    RouteNode& here = nodes_[i];
    const Stop& stop = table.node(here.node);
    here.leg = table.Travel(before.node, here.node);
    here.start = std::max(before.leave + here.leg, stop.opens);
    here.leave = here.start + stop.service;
    here.load = before.load + stop.load;
    here.open = before.open;
    const int request = table.request_of(here.node);
    if (request >= 0) {
      const Request& ends = table.problem().requests[request];
      if (ends.paired()) here.open += here.node == ends.pickup ? 1 : -1;
    }
    if (here.start > stop.closes || here.load < 0 || here.load > capacity) {
      broken_ = i;
      return;
    }
  }
  travel_ = nodes_[last].leg;
  nodes_[last].latest = table.node(nodes_[last].node).closes;
  nodes_[last].peak = nodes_[last].load;
  for (int i = last - 1; i >= 0; --i) {
    RouteNode& here = nodes_[i];
    const RouteNode& next = nodes_[i + 1];
    const Stop& stop = table.node(here.node);
    here.latest = std::min(stop.closes, next.latest - next.leg - (here.leave - here.start));
    here.peak = std::max(here.load, next.peak);
    travel_ += here.leg;
  }
}

template <typename Skip>
Insertion Route::CheapestSingle(const RequestView& request, int capacity, Skip skip) const {
  Insertion best;
  const int last = std::ssize(nodes_) - 1;
  const Stop& stop = request.pickup;
  if (stop.opens > stop.closes) return best;
  for (int i = 0; i < last; ++i) {
    const RouteNode& before = nodes_[i];
    if (before.leave > stop.closes) break;
    if (before.peak + stop.load > capacity || skip()) continue;
    const RouteNode& after = nodes_[i + 1];
    const Ticks to = request.to_pickup[before.node];
    const Ticks from = request.from_pickup[after.node];
    const Ticks cost = to + from - after.leg;
    const Ticks arrival = before.leave + to;
    if (cost >= best.cost || arrival > stop.closes) continue;
    if (Leave(stop, arrival) + from > after.latest) continue;
    best = InsertionAt(cost, i, i);
  }
  return best;
}

template <typename Skip>
Insertion Route::CheapestPair(const RequestView& request, int capacity, Skip skip) const {
  Insertion best;
  const int last = std::ssize(nodes_) - 1;
  const Stop& pickup = request.pickup;
  const Stop& delivery = request.delivery;
  if (pickup.opens > pickup.closes || delivery.opens > delivery.closes) return best;
  const Ticks between = request.from_pickup[request.delivery_node];
  for (int i = 0; i < last; ++i) {
    const RouteNode& before = nodes_[i];
    if (before.leave > pickup.closes) break;
    if (before.load + pickup.load > capacity || skip()) continue;
    const Ticks to = request.to_pickup[before.node];
    const Ticks arrival = before.leave + to;
    if (arrival > pickup.closes) continue;
    const Ticks leave_pickup = Leave(pickup, arrival);

    // The delivery follows the pickup directly.
    const RouteNode& after = nodes_[i + 1];
    const Ticks at_delivery = leave_pickup + between;
    if (at_delivery <= delivery.closes) {
      const Ticks from = request.from_delivery[after.node];
      const Ticks cost = to + between + from - after.leg;
      if (cost < best.cost && Leave(delivery, at_delivery) + from <= after.latest)
        best = InsertionAt(cost, i, i);
    }

    // The delivery follows later: carry the delay of the pickup along the route.
    const Ticks detour = to + request.from_pickup[after.node] - after.leg;
    if (detour >= best.cost) continue;
    Ticks time = leave_pickup + request.from_pickup[after.node];
    for (int j = i + 1; j < last; ++j) {
      const RouteNode& here = nodes_[j];
      if (time > here.latest || here.load + pickup.load > capacity) break;
      const Ticks leave = here.leave + std::max(time - here.start, 0);
      if (leave > delivery.closes) break;
      const RouteNode& next = nodes_[j + 1];
      const Ticks to_delivery = request.to_delivery[here.node];
      const Ticks from = request.from_delivery[next.node];
      const Ticks cost = detour + to_delivery + from - next.leg;
      const Ticks reached = leave + to_delivery;
      if (cost < best.cost && reached <= delivery.closes &&
          Leave(delivery, reached) + from <= next.latest)
        best = InsertionAt(cost, i, j);
      time = leave + next.leg;
    }
  }
  return best;
}

Insertion Route::Cheapest(const RequestView& request, int capacity) const {
  const auto never = [] { return false; };
  return request.paired() ? CheapestPair(request, capacity, never)
                          : CheapestSingle(request, capacity, never);
}

Insertion Route::CheapestBlinking(const RequestView& request, int capacity, Rng& rng) const {
  uint32_t bits = 0;
  int left = 0;
  const auto skip = [&] {
    if (left == 0) {
      bits = rng.Next32();
      left = 32;
    }
    --left;
    const bool blink = bits & 1;
    bits >>= 1;
    return blink;
  };
  return request.paired() ? CheapestPair(request, capacity, skip)
                          : CheapestSingle(request, capacity, skip);
}

void Route::Insert(const StopTable& table, const RequestView& request, const Insertion& where) {
  RouteNode added;
  if (request.paired()) {
    added.node = request.delivery_node;
    nodes_.insert(nodes_.begin() + where.delivery_after + 1, added);
  }
  added.node = request.pickup_node;
  nodes_.insert(nodes_.begin() + where.pickup_after + 1, added);
  Refresh(table, where.pickup_after + 1);
}

bool Route::Erase(const StopTable& table, std::span<const uint8_t> marked) {
  size_t kept = 1;
  size_t first = 0;
  for (size_t i = 1; i + 1 < nodes_.size(); ++i) {
    if (marked[nodes_[i].node]) {
      if (first == 0) first = i;
    } else {
      nodes_[kept++] = nodes_[i];
    }
  }
  if (first == 0) return broken_ == 0;
  nodes_[kept++] = nodes_.back();
  nodes_.resize(kept);
  Refresh(table, broken_ == 0 ? first : 1);
  return broken_ == 0;
}

}  // namespace dray
