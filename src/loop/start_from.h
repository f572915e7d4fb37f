#pragma once

#include "src/config/config.pb.h"
#include "src/learn/learner.h"

namespace dray {

// Lets a new run's learner start from what run.init_from names, if it names anything. A file that
// is no checkpoint, or one of other networks, is an Error.
void StartFromCheckpoint(const Config& config, Learner& learner);

}  // namespace dray
