#pragma once

#include "src/envs/dvrptw/dvrptw.pb.h"

namespace dray::dvrptw {

// Sets num_customers, unless it was given, to the number of riders in the file of trips. Throws an
// Error if the file has too few or too many.
void FollowFiles(DvrptwConfig* config);

}  // namespace dray::dvrptw
