#pragma once

#include "src/envs/dvrptw/dvrptw.pb.h"

namespace dray {

// Sets num_customers, where it was left open, to what the user's file has: all riders of trips, and
// of an instance as many as is usual, or all where it has fewer. A file with too few or too many is
// an Error.
void FollowFiles(DvrptwConfig* config);

}  // namespace dray
