#pragma once

#include "src/base/json_fwd.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// Problems and plans for others to solve and to check (scripts/bench/routing.py reads them), in
// ticks. Many problems of one city share what CityJson has: travel times row by row, depot, fleet
// (extra_vehicle_cost null: there are no further vehicles).
Json CityJson(const Problem& problem);
// stops as [place, opens, closes, service, load], requests as [pickup, delivery].
Json ProblemJson(const Problem& problem);
// Routes as lists of stops.
Json PlanJson(const Plan& plan);

}  // namespace dray
