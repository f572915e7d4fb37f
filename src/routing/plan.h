#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Routes of stops (indices into Problem::stops), without the depot; no route is empty.
struct Plan {
  std::vector<std::vector<int>> routes;
};

// Cost of a plan in ticks. `unserved` counts requests that are not in the plan.
struct PlanCost {
  int64_t travel = 0;
  int vehicles = 0;
  int64_t extra_vehicles = 0;  // cost of vehicles beyond the free ones
  int unserved = 0;

  int64_t total() const { return travel + extra_vehicles; }
};

// A vehicle's visit to a stop.
struct Visit {
  int stop = 0;
  Ticks arrival = 0;
  Ticks start = 0;  // start of service: arrival, or when the window opens
  int load = 0;     // load after the stop
};

struct Simulation {
  PlanCost cost;
  std::vector<std::vector<Visit>> routes;
  std::vector<Ticks> returns;  // arrival at the depot, by route
  // One line per broken rule: a late stop, a load above capacity or below 0, a pair that is split
  // or in the wrong order, a repeated or unknown stop, an empty route, a late return to the depot,
  // too many vehicles of a hard fleet. Unserved requests are a cost, not a broken rule. Empty if
  // the plan is feasible.
  std::vector<std::string> violations;
};

// Simulates a plan step by step from the problem alone. This is the judge of every oracle and
// shares no code with them.
Simulation Simulate(const Problem& problem, const Plan& plan);

}  // namespace dray
