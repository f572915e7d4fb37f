#pragma once

#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/routing/problem.h"

namespace dray {

// The vehicles that a config asks for; `usual_capacity` is what capacity auto means. One that can
// serve nobody is an Error.
Fleet FleetOf(const DvrptwConfig& config, int usual_capacity, int ticks_per_unit);

}  // namespace dray
