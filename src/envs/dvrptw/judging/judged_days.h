#pragma once

#include <string>

#include "src/envs/dvrptw/judging/comparison.h"

namespace dray {

// Every day of a comparison as a problem, for another judge (scripts/bench/judge.py): JSON lines,
// the first of them the city that all share, then one per policy and day with what was agreed, what
// that cost by the judge of the comparison, and the judge's plan.
std::string JudgedDaysText(const Comparison& comparison);

}  // namespace dray
