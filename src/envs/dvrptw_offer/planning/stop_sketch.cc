#include "src/envs/dvrptw_offer/planning/stop_sketch.h"

#include <algorithm>
#include <cstdlib>

#include "src/base/error.h"

namespace dray::dvrptw_offer {

void StopSketch::Load(const Problem& problem, const Plan& plan) {
  travel_times_ = problem.travel.times().data();
  places_ = problem.travel.places();
  depot_ = problem.depot;
  day_ = {problem.depot_opens, problem.depot_closes};
  fleet_ = problem.fleet;
  Clear();
  for (const Request& request : problem.requests) {
    DRAY_CHECK(!request.paired());
    members_.push_back({.stop = problem.stops[request.pickup]});
  }
  const std::vector<int> request_of = problem.RequestOfStop();
  for (const std::vector<int>& stops : plan.routes) {
    int after = 0, index = -1;
    for (const int stop : stops) {
      Insert(request_of[stop], {.price = 0, .route = index, .after = after++});
      index = used_ - 1;
    }
  }
}

Plan StopSketch::ToPlan() const {
  Plan plan;
  for (int index = 0; index < used_; ++index) {
    std::vector<int>& stops = plan.routes.emplace_back();
    for (const Visit& visit : routes_[index].visits) {
      if (visit.member >= 0) stops.push_back(visit.member);
    }
  }
  return plan;
}

int StopSketch::OpenRoute() {
  Visit depot;
  depot.place = depot_;
  depot.opens = day_.opens;
  depot.closes = day_.closes;
  depot.leave = day_.opens;
  return Open(depot);
}

int64_t StopSketch::Drive(Visits& visits) const {
  const size_t last = visits.size() - 1;
  int64_t travel = 0;
  for (size_t i = 1; i <= last; ++i) {
    const Visit& before = visits[i - 1];
    Visit& here = visits[i];
    here.leg = Travel(before.place, here.place);
    here.leave = std::max(before.leave + here.leg, here.opens) + here.service;
    here.so_far = before.so_far + here.load;
    travel += here.leg;
  }
  visits[last].latest = visits[last].closes;
  for (size_t i = last; i-- > 0;) {
    const Visit& next = visits[i + 1];
    Visit& here = visits[i];
    here.latest = std::min(here.closes, next.latest - next.leg - here.service);
  }
  return travel;
}

void StopSketch::Cheapest(const Stop& stop, std::span<const Window> windows,
                          std::span<Seat> seats) const {
  std::ranges::fill(seats, Seat());
  for (int index = 0; index < used_; ++index) {
    const Visits& visits = routes_[index].visits;
    if (LoadOf(visits) + stop.load > fleet_.capacity) continue;
    CheapestOn(visits, index, stop, windows, seats);
  }
  Alone(stop, windows, seats);
}

void StopSketch::Alone(const Stop& stop, std::span<const Window> windows,
                       std::span<Seat> seats) const {
  if (fleet_.hard && used_ >= fleet_.free_vehicles) return;
  if (stop.load > fleet_.capacity) return;
  const Ticks out = Travel(depot_, stop.place), back = Travel(stop.place, depot_);
  const int64_t price = out + back + VehicleCost(used_ + 1) - VehicleCost(used_);
  for (size_t i = 0; i < windows.size(); ++i) {
    const Ticks start = std::max(day_.opens + out, windows[i].opens);
    if (price >= seats[i].price || start > windows[i].closes) continue;
    if (start + stop.service + back > day_.closes) continue;
    seats[i] = {price, -1, 0};
  }
}

void StopSketch::CheapestOn(const Visits& visits, int index, const Stop& stop,
                            std::span<const Window> windows, std::span<Seat> seats) const {
  const int last = std::ssize(visits) - 1;
  for (int at = 0; at < last; ++at) {
    const Visit& before = visits[at];
    const Visit& after = visits[at + 1];
    const Ticks to = Travel(before.place, stop.place), away = Travel(stop.place, after.place);
    const Ticks detour = to + away - after.leg;
    const Ticks arrival = before.leave + to;
    const Ticks latest = after.latest - away - stop.service;  // start of service
    if (arrival > latest) continue;
    for (size_t i = 0; i < windows.size(); ++i) {
      if (detour >= seats[i].price) continue;
      const Ticks start = std::max(arrival, windows[i].opens);
      if (start > windows[i].closes || start > latest) continue;
      seats[i] = {detour, index, at};
    }
  }
}

void StopSketch::Add(const Stop& stop, const Seat& seat) {
  DRAY_CHECK(seat.possible());
  members_.push_back({.stop = stop});
  Insert(std::ssize(members_) - 1, seat);
}

void StopSketch::Insert(int index, const Seat& seat) {
  Member& placed = member(index);
  placed.route = seat.route < 0 ? OpenRoute() : seat.route;
  Visits& visits = route(placed.route).visits;
  Visit visit;
  visit.place = placed.stop.place;
  visit.opens = placed.stop.opens;
  visit.closes = placed.stop.closes;
  visit.service = placed.stop.service;
  visit.load = placed.stop.load;
  visit.member = index;
  visits.insert(visits.begin() + seat.after + 1, visit);
  DriveAnew(placed.route);
}

void StopSketch::LeaveOut(const Route& whole, int member) {
  without_.clear();
  for (const Visit& visit : whole.visits) {
    if (visit.member != member) without_.push_back(visit);
  }
}

Ticks StopSketch::Apart(const Member& a, const Member& b) const {
  return Travel(a.stop.place, b.stop.place) + std::abs(a.stop.opens - b.stop.opens);
}

bool StopSketch::Recreate(double /*most: nothing is sure without the triangle inequality*/) {
  for (const int index : taken_) {
    const Stop& stop = member(index).stop;
    const Window window{stop.opens, stop.closes};
    Seat seat;
    Cheapest(stop, {&window, 1}, {&seat, 1});
    if (!seat.possible()) return false;
    Insert(index, seat);
  }
  return std::all_of(routes_.begin(), routes_.begin() + used_,
                     [this](const Route& route) { return InTime(route.visits); });
}

}  // namespace dray::dvrptw_offer
