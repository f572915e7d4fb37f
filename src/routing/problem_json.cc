#include "src/routing/problem_json.h"

#include "src/base/json.h"

namespace dray {

Json CityJson(const Problem& problem) {
  const Fleet& fleet = problem.fleet;
  return {{"places", problem.travel.places()},
          {"depot", problem.depot},
          {"depot_window", {problem.depot_opens, problem.depot_closes}},
          {"capacity", fleet.capacity},
          {"free_vehicles", fleet.free_vehicles},
          {"extra_vehicle_cost", fleet.hard ? Json() : Json(fleet.extra_vehicle_cost)},
          {"ticks_per_unit", problem.ticks_per_unit},
          {"travel", problem.travel.times()}};
}

Json ProblemJson(const Problem& problem) {
  Json stops = Json::array(), requests = Json::array();
  for (const Stop& stop : problem.stops) {
    stops.push_back({stop.place, stop.opens, stop.closes, stop.service, stop.load});
  }
  for (const Request& request : problem.requests) {
    requests.push_back({request.pickup, request.delivery});
  }
  return {{"stops", std::move(stops)}, {"requests", std::move(requests)}};
}

Json PlanJson(const Plan& plan) {
  Json routes = Json::array();
  for (const std::vector<int>& route : plan.routes) routes.push_back(route);
  return routes;
}

}  // namespace dray
