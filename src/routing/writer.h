#pragma once

#include <string>

#include "src/base/json_fwd.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// Writes a plan in VRPLIB's solution format, with customers numbered by Problem::numbers (from 1 in
// the order of stops if it is empty):
//   Route #1: 3 5 7
//   Cost 191.3
std::string PlanText(const Problem& problem, const Plan& plan);

// Reads a plan in that format. Its cost is ignored; Simulate computes it. An unknown or repeated
// customer, or any other line, is an Error that names file, line and field.
Plan ParsePlan(const Problem& problem, const std::string& path, std::string text);
Plan ReadPlan(const Problem& problem, const std::string& path);

// Writes a simulated plan as one JSON object: instance, feasible, cost, travel, vehicles,
// extra_vehicles, unserved, violations, and for each route its customers, arrivals, starts, loads
// and return. Times and costs are in the problem's units, not ticks.
Json PlanJson(const Problem& problem, const Simulation& simulation);

}  // namespace dray
