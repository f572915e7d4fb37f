#include "src/oracle/tours.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr int16_t kNotPriced = -1;

}  // namespace

void TourBook::Load(const Problem& problem) {
  table_.Load(problem);
  const int requests = table_.requests();
  vehicle_limit_ = problem.fleet.hard ? std::min(problem.fleet.free_vehicles, requests) : requests;
  reluctance_ = 0;
  looks_to_blink_ = -1;
  remembered_.assign(static_cast<size_t>(requests) * requests, {});
  alone_.assign(requests, {0, kNotPriced, 0});
  marks_.assign(problem.stops.size() + 1, 0);
  empty_.Clear(table_);
}

void TourBook::Clear(Tours& tours) {
  const int requests = table_.requests();
  tours.routes.resize(std::max<size_t>(tours.routes.size(), requests));
  for (int slot = 0; slot < requests; ++slot) tours.routes[slot].Clear(table_);
  tours.used.clear();
  tours.unused.clear();
  for (int slot = requests - 1; slot >= 0; --slot) tours.unused.push_back(slot);
  tours.slot_of.assign(requests, -1);
  tours.absent.resize(requests);
  for (int request = 0; request < requests; ++request) tours.absent[request] = request;
  tours.travel = 0;
}

void TourBook::Adopt(const Plan& plan, Tours& tours) {
  Clear(tours);
  const Problem& problem = table_.problem();
  std::vector<int> position(problem.stops.size(), -1);
  for (const std::vector<int>& stops : plan.routes) {
    if (std::ssize(tours.used) >= vehicle_limit_) break;
    for (int i = 0; i < std::ssize(stops); ++i)
      if (position[stops[i]] < 0) position[stops[i]] = i;
    // Requests that are complete on this route and on no earlier one.
    std::vector<int> whole;
    for (int i = 0; i < std::ssize(stops); ++i) {
      const int request = table_.request_of(stops[i]);
      if (request < 0 || tours.slot_of[request] >= 0 || position[stops[i]] != i) continue;
      const Request& ends = problem.requests[request];
      const auto here = std::find(stops.begin(), stops.end(), ends.delivery);
      const auto pickup = std::find(stops.begin(), stops.end(), ends.pickup);
      if (ends.paired() && (here == stops.end() || pickup >= here)) continue;
      whole.push_back(stops[i]);
    }
    if (whole.empty()) continue;
    const int slot = tours.unused.back();
    Route& route = tours.routes[slot];
    bool feasible = route.Assign(table_, whole);
    while (!feasible) {
      // The vehicle returns too late: drop the last request.
      const int at = std::min(route.broken(), route.stops());
      const int request = table_.request_of(route.nodes()[at].node);
      Mark(request);
      feasible = route.Erase(table_, marks_);
      Unmark(request);
    }
    if (route.empty()) continue;
    route.version = ++versions_;
    tours.unused.pop_back();
    tours.used.push_back(slot);
    tours.travel += route.travel();
    for (int i = 1; i <= route.stops(); ++i)
      tours.slot_of[table_.request_of(route.nodes()[i].node)] = slot;
  }
  std::erase_if(tours.absent, [&](int request) { return tours.slot_of[request] >= 0; });
}

int64_t TourBook::VehicleCost(int vehicles) const {
  const Fleet& fleet = table_.problem().fleet;
  const int extra = std::max(0, vehicles - fleet.free_vehicles);
  return int64_t{extra} * fleet.extra_vehicle_cost + vehicles * reluctance_;
}

int64_t TourBook::OpeningCost(const Tours& tours) const {
  const int vehicles = tours.used.size();
  if (vehicles >= vehicle_limit_) return Seat::kImpossible;
  return VehicleCost(vehicles + 1) - VehicleCost(vehicles);
}

const Insertion& TourBook::CheapestOn(const Tours& tours, int request, int slot) {
  Remembered& memory = remembered_[static_cast<size_t>(request) * table_.requests() + slot];
  const Route& route = tours.routes[slot];
  if (memory.version != route.version) {
    memory.version = route.version;
    memory.where = route.Cheapest(table_.View(request), table_.capacity());
  }
  return memory.where;
}

Seat TourBook::Alone(const Tours& tours, int request) {
  const int64_t opening = OpeningCost(tours);
  if (opening == Seat::kImpossible) return {};
  Insertion& alone = alone_[request];
  if (alone.pickup_after == kNotPriced)
    alone = empty_.Cheapest(table_.View(request), table_.capacity());
  if (!alone.possible()) return {};
  return {alone.cost + opening, -1, alone};
}

Seat TourBook::Cheapest(const Tours& tours, int request) {
  Seat best;
  for (const int slot : tours.used) {
    const Insertion& where = CheapestOn(tours, request, slot);
    if (where.possible() && where.cost < best.cost) best = {where.cost, slot, where};
  }
  const Seat alone = Alone(tours, request);
  return alone.cost < best.cost ? alone : best;
}

Seat TourBook::CheapestBlinking(const Tours& tours, int request, double blink_rate, Rng& rng) {
  Seat best;
  for (const int slot : tours.used) {
    Insertion where;
    if (looks_to_blink_ < 0) {
      looks_to_blink_ = std::log(1.0 - rng.Uniform()) / std::log(1.0 - blink_rate);
    }
    if (looks_to_blink_-- == 0) {
      where = tours.routes[slot].CheapestBlinking(table_.View(request), table_.capacity(), rng);
    } else {
      where = CheapestOn(tours, request, slot);
    }
    if (where.possible() && where.cost < best.cost) best = {where.cost, slot, where};
  }
  const Seat alone = Alone(tours, request);
  return alone.cost < best.cost ? alone : best;
}

void TourBook::Insert(Tours& tours, int request, const Seat& seat) {
  DRAY_CHECK(seat.possible());
  int slot = seat.slot;
  if (slot < 0) {
    slot = tours.unused.back();
    tours.unused.pop_back();
    tours.used.push_back(slot);
    tours.routes[slot].Clear(table_);
  }
  Route& route = tours.routes[slot];
  tours.travel -= route.travel() * (seat.slot >= 0);
  route.Insert(table_, table_.View(request), seat.where);
  route.version = ++versions_;
  tours.travel += route.travel();
  tours.slot_of[request] = slot;
}

void TourBook::InsertAbsent(Tours& tours) {
  size_t kept = 0;
  for (const int request : tours.absent) {
    const Seat seat = Cheapest(tours, request);
    if (seat.possible()) {
      Insert(tours, request, seat);
    } else {
      tours.absent[kept++] = request;
    }
  }
  tours.absent.resize(kept);
}

void TourBook::Mark(int request) {
  const Request& ends = table_.problem().requests[request];
  marks_[ends.pickup] = 1;
  if (ends.paired()) marks_[ends.delivery] = 1;
}

void TourBook::Unmark(int request) {
  const Request& ends = table_.problem().requests[request];
  marks_[ends.pickup] = 0;
  if (ends.paired()) marks_[ends.delivery] = 0;
}

void TourBook::RemoveMarked(Tours& tours, int slot) {
  Route& route = tours.routes[slot];
  tours.travel -= route.travel();
  const size_t absent_before = tours.absent.size();
  bool feasible = false;
  while (!feasible) {
    for (int i = 1; i <= route.stops(); ++i) {
      const int node = route.nodes()[i].node;
      const int request = table_.request_of(node);
      if (!marks_[node] || table_.problem().requests[request].pickup != node) continue;
      tours.absent.push_back(request);
      tours.slot_of[request] = -1;
    }
    feasible = route.Erase(table_, marks_);
    if (!feasible) {
      const int late = std::min(route.broken(), route.stops());
      Mark(table_.request_of(route.nodes()[late].node));
    }
  }
  for (size_t i = absent_before; i < tours.absent.size(); ++i) Unmark(tours.absent[i]);
  route.version = ++versions_;
  if (route.empty()) {
    tours.used.erase(std::find(tours.used.begin(), tours.used.end(), slot));
    tours.unused.push_back(slot);
  } else {
    tours.travel += route.travel();
  }
}

void TourBook::Replace(Tours& tours, int slot, const Route& route) {
  Route& old = tours.routes[slot];
  const bool was_used = !old.empty();
  if (was_used) tours.travel -= old.travel();
  old = route;
  old.version = ++versions_;
  if (!route.empty()) tours.travel += route.travel();
  if (was_used && route.empty()) {
    tours.used.erase(std::find(tours.used.begin(), tours.used.end(), slot));
    tours.unused.push_back(slot);
  } else if (!was_used && !route.empty()) {
    tours.unused.erase(std::find(tours.unused.begin(), tours.unused.end(), slot));
    tours.used.push_back(slot);
  }
}

PlanCost TourBook::CostOf(const Tours& tours) const {
  const Fleet& fleet = table_.problem().fleet;
  PlanCost cost;
  cost.travel = tours.travel;
  cost.vehicles = tours.used.size();
  cost.extra_vehicles =
      int64_t{std::max(0, cost.vehicles - fleet.free_vehicles)} * fleet.extra_vehicle_cost;
  cost.unserved = tours.absent.size();
  return cost;
}

OracleAnswer TourBook::Answer(const Tours& tours) const {
  OracleAnswer answer;
  for (const int slot : tours.used) {
    std::vector<int>& stops = answer.plan.routes.emplace_back();
    const Route& route = tours.routes[slot];
    for (int i = 1; i <= route.stops(); ++i) stops.push_back(route.nodes()[i].node);
  }
  answer.cost = CostOf(tours);
  return answer;
}

}  // namespace dray
