#pragma once

#include <cstdint>

#include "src/oracle/vrptw/prize_problem.h"

namespace dray {

// Makes a random problem whose stops can each be served alone. Some have a prize, a release time or
// a latest departure; windows, capacity and the asymmetric matrix all matter.
PrizeProblem RandomPrizeProblem(int stops, uint64_t seed);

// Returns the lowest cost by trying every set of routes; for at most eight stops.
int64_t LowestCost(const PrizeProblem& problem);

}  // namespace dray
