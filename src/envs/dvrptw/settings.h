#pragma once

#include "src/envs/dvrptw/dvrptw.pb.h"

namespace dray::dvrptw {

// Throws an Error for a setting that has no effect with the others and still differs from its
// default: see delivery::RefuseUnused.
void RefuseUnusedSettings(const DvrptwConfig& config);

}  // namespace dray::dvrptw
