#include "src/oracle/vrptw/prize_problem.h"

#include <algorithm>
#include <utility>

#include "src/base/error.h"

namespace dray {
namespace {

// Returns the travel of a route after checking its rules.
int64_t CheckedTravel(const PrizeProblem& problem, const std::vector<int>& route) {
  int64_t load = 0;
  Ticks leaves = problem.depot_opens;
  Ticks leaves_by = kMaxTicks;
  for (const int index : route) {
    const PrizeStop& stop = problem.stops[index];
    load += stop.load;
    leaves = std::max(leaves, stop.release);
    leaves_by = std::min(leaves_by, stop.leaves_by);
  }
  if (load > problem.capacity)
    throw Failure(Cat("a route carries ", load, ", more than the capacity of ", problem.capacity));
  if (leaves > leaves_by)
    throw Failure(Cat("a route leaves at ", leaves, ", but one of its stops needs it to leave by ",
                      leaves_by));
  int64_t travel = 0;
  Ticks time = leaves;
  int place = problem.depot;
  for (const int index : route) {
    const PrizeStop& stop = problem.stops[index];
    const Ticks leg = problem.travel(place, stop.place);
    travel += leg;
    time = std::max(time + leg, stop.opens);
    if (time > stop.closes)
      throw Failure(Cat("a route reaches stop ", index, " at ", time, ", after ", stop.closes));
    time += stop.service;
    place = stop.place;
  }
  const Ticks leg = problem.travel(place, problem.depot);
  if (time + leg > problem.depot_closes)
    throw Failure(Cat("a route returns at ", time + leg, ", after the depot closes at ",
                      problem.depot_closes));
  return travel + leg;
}

}  // namespace

PrizePlan CheckedPlan(const PrizeProblem& problem, std::vector<std::vector<int>> routes) {
  PrizePlan plan;
  plan.routes = std::move(routes);
  std::vector<uint8_t> served(problem.stops.size());
  for (const std::vector<int>& route : plan.routes) {
    for (const int stop : route) {
      if (stop < 0 || stop >= std::ssize(problem.stops))
        throw Failure(Cat("a route has stop ", stop, ", which does not exist"));
      if (served[stop]++) throw Failure(Cat("stop ", stop, " is served twice"));
    }
    if (!route.empty()) plan.travel += CheckedTravel(problem, route);
  }
  plan.cost = plan.travel;
  for (int i = 0; i < std::ssize(problem.stops); ++i) {
    if (served[i]) continue;
    if (problem.stops[i].mandatory()) throw Failure(Cat("stop ", i, " must be served, but is not"));
    plan.unserved.push_back(i);
    plan.cost += problem.stops[i].prize;
  }
  return plan;
}

}  // namespace dray
