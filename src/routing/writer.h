#pragma once

#include <string>

#include "src/base/json_fwd.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// A plan in VRPLIB's solution format, customers numbered as Problem::numbers has them (from 1 in
// the order of stops when it is empty):
//   Route #1: 3 5 7
//   Cost 191.3
std::string PlanText(const Problem& problem, const Plan& plan);

// The plan that such a text describes; its cost is not believed but left to Simulate. A customer
// that is unknown or visited twice, or a line that is neither, is an Error that names file, line
// and field.
Plan ParsePlan(const Problem& problem, const std::string& path, std::string text);
Plan ReadPlan(const Problem& problem, const std::string& path);

// A simulated plan as one JSON object: instance, feasible, cost, travel, vehicles, extra_vehicles,
// unserved, violations, and for each route its customers, arrivals, starts, loads and return. Times
// and costs are in the problem's units, not ticks.
Json PlanJson(const Problem& problem, const Simulation& simulation);

}  // namespace dray
