#pragma once

#include "src/base/json_fwd.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// Problems and plans in ticks, for other programs to solve and check (scripts/bench/routing.py
// reads them). CityJson holds what many problems of one city share: travel times row by row, depot
// and fleet (extra_vehicle_cost null: there are no further vehicles).
Json CityJson(const Problem& problem);
// Writes stops as [place, opens, closes, service, load] and requests as [pickup, delivery].
Json ProblemJson(const Problem& problem);
// Writes routes as lists of stops.
Json PlanJson(const Plan& plan);

}  // namespace dray
