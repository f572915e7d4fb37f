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

// What a plan costs, in ticks. `unserved` counts requests that are not in it.
struct PlanCost {
  int64_t travel = 0;
  int vehicles = 0;
  int64_t extra_vehicles = 0;  // cost of those beyond the free ones
  int unserved = 0;

  int64_t total() const { return travel + extra_vehicles; }
};

// When a vehicle is where.
struct Visit {
  int stop = 0;
  Ticks arrival = 0;
  Ticks start = 0;  // of service: arrival, or when the window opens
  int load = 0;     // after the stop
};

struct Simulation {
  PlanCost cost;
  std::vector<std::vector<Visit>> routes;
  std::vector<Ticks> returns;  // back at the depot, by route
  // One line per broken rule: a stop too late, a load beyond capacity or below 0, a pair split or
  // in the wrong order, a stop twice or unknown, an empty route, a vehicle back too late, too many
  // vehicles of a hard fleet. What is unserved is a cost, not a broken rule.
  // Empty: the plan is feasible.
  std::vector<std::string> violations;
};

// Drives a plan, step by step, from the problem alone: the judge of every oracle, which shares no
// code with them.
Simulation Simulate(const Problem& problem, const Plan& plan);

}  // namespace dray
