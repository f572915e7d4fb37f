#pragma once

#include "src/envs/dvrptw/dvrptw.pb.h"

namespace dray {

// A setting that means nothing under the others (the mode, above all) and still differs from its
// default is an Error that says why, and what to do: whoever set it expects something of it. Values
// tell, not presence: a run's own config.yaml names every setting.
void RefuseUnusedSettings(const DvrptwConfig& config);

}  // namespace dray
