#pragma once

#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

struct BruteForceAnswer {
  Plan plan;
  PlanCost cost;
};

// Tries every plan there is, judged by Simulate: the fewest requests unserved, then the least total
// cost. For at most 8 stops (394,353 plans), and 7 where some request may have to be left out.
BruteForceAnswer BruteForce(const Problem& problem);

}  // namespace dray
