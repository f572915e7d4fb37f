#pragma once

#include <string>

#include "src/envs/dvrptw/judging/comparison.h"

namespace dray::dvrptw {

// Returns every day of a comparison as a problem for another judge (scripts/bench/judge.py), in
// JSON lines: first the common city, then for each policy and day what was agreed, its cost
// according to the judge, and the judge's plan.
std::string JudgedDaysText(const Comparison& comparison);

}  // namespace dray::dvrptw
