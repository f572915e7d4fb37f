#include "src/routing/plan.h"

#include <algorithm>
#include <limits>

#include "src/base/error.h"

namespace dray {
namespace {

// Times of infeasible plans may exceed the range of Ticks.
Ticks Clamped(int64_t ticks) { return std::min<int64_t>(ticks, std::numeric_limits<Ticks>::max()); }

class Driver {
 public:
  Driver(const Problem& problem, const Plan& plan) : problem_(problem), plan_(plan) {}

  Simulation Drive() {
    route_of_.assign(problem_.stops.size(), -1);
    position_of_.assign(problem_.stops.size(), -1);
    for (size_t route = 0; route < plan_.routes.size(); ++route) DriveRoute(route);
    CheckRequests();
    CountVehicles();
    return std::move(simulation_);
  }

 private:
  template <typename... Parts>
  void Broken(int route, const Parts&... parts) {
    simulation_.violations.push_back(Cat("route ", route + 1, ": ", parts...));
  }

  // Records where a stop is visited. Returns false if it cannot be driven to.
  bool Place(int route, int position, int stop) {
    if (stop < 0 || stop >= std::ssize(problem_.stops)) {
      Broken(route, "there is no stop ", stop);
      return false;
    }
    if (route_of_[stop] >= 0) {
      Broken(route, problem_.NameOfStop(stop), " is visited again, after route ",
             route_of_[stop] + 1);
      return true;
    }
    route_of_[stop] = route;
    position_of_[stop] = position;
    return true;
  }

  void DriveRoute(int route) {
    const std::vector<int>& stops = plan_.routes[route];
    if (stops.empty()) Broken(route, "is empty");
    std::vector<Visit> visits;
    int place = problem_.depot;
    int64_t now = problem_.depot_opens;
    int64_t load = 0;
    for (size_t position = 0; position < stops.size(); ++position) {
      if (!Place(route, position, stops[position])) continue;
      const Stop& stop = problem_.stops[stops[position]];
      const Ticks leg = problem_.travel(place, stop.place);
      simulation_.cost.travel += leg;
      const int64_t arrival = now + leg;
      const int64_t start = std::max<int64_t>(arrival, stop.opens);
      load += stop.load;
      CheckVisit(route, stops[position], start, load);
      visits.push_back({stops[position], Clamped(arrival), Clamped(start), Clamped(load)});
      now = start + stop.service;
      place = stop.place;
    }
    const Ticks leg = problem_.travel(place, problem_.depot);
    simulation_.cost.travel += stops.empty() ? 0 : leg;
    now += stops.empty() ? 0 : leg;
    if (now > problem_.depot_closes) {
      Broken(route, "back at the depot at ", problem_.Format(now), ", after it closed at ",
             problem_.Format(problem_.depot_closes));
    }
    simulation_.routes.push_back(std::move(visits));
    simulation_.returns.push_back(Clamped(now));
  }

  void CheckVisit(int route, int stop, int64_t start, int64_t load) {
    const Ticks closes = problem_.stops[stop].closes;
    if (start > closes) {
      Broken(route, problem_.NameOfStop(stop), " is served at ", problem_.Format(start),
             ", after its window closed at ", problem_.Format(closes));
    }
    if (load > problem_.fleet.capacity) {
      Broken(route, problem_.NameOfStop(stop), " brings the load to ", load, ", beyond capacity ",
             problem_.fleet.capacity);
    }
    if (load < 0) Broken(route, problem_.NameOfStop(stop), " brings the load to ", load);
  }

  void CheckRequests() {
    for (const Request& request : problem_.requests) {
      const int route = route_of_[request.pickup];
      const int other = request.paired() ? route_of_[request.delivery] : route;
      if (route < 0 || other < 0) ++simulation_.cost.unserved;
      if (!request.paired() || (route < 0 && other < 0)) continue;
      const std::string pickup = problem_.NameOfStop(request.pickup);
      const std::string delivery = problem_.NameOfStop(request.delivery);
      if (other < 0) {
        Broken(route, "picks up ", pickup, " and nobody delivers ", delivery);
      } else if (route < 0) {
        Broken(other, "delivers ", delivery, " and nobody picks up ", pickup);
      } else if (route != other) {
        Broken(route, "picks up ", pickup, " and route ", other + 1, " delivers ", delivery);
      } else if (position_of_[request.pickup] > position_of_[request.delivery]) {
        Broken(route, "delivers ", delivery, " before it picks up ", pickup);
      }
    }
  }

  void CountVehicles() {
    const Fleet& fleet = problem_.fleet;
    PlanCost& cost = simulation_.cost;
    cost.vehicles = std::ranges::count_if(
        plan_.routes, [](const std::vector<int>& route) { return !route.empty(); });
    const int extra = std::max(0, cost.vehicles - fleet.free_vehicles);
    if (!fleet.hard) {
      cost.extra_vehicles = int64_t{extra} * fleet.extra_vehicle_cost;
    } else if (extra > 0) {
      simulation_.violations.push_back(Cat("fleet: the plan takes ", cost.vehicles,
                                           " vehicles, there are ", fleet.free_vehicles));
    }
  }

  const Problem& problem_;
  const Plan& plan_;
  Simulation simulation_;
  // Route and position of each stop's first visit; -1 if there is none.
  std::vector<int> route_of_;
  std::vector<int> position_of_;
};

}  // namespace

Simulation Simulate(const Problem& problem, const Plan& plan) {
  return Driver(problem, plan).Drive();
}

}  // namespace dray
