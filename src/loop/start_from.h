#pragma once

#include "src/config/config.pb.h"
#include "src/learn/learner.h"

namespace dray {

// Loads the checkpoint of run.init_from, if set, into the learner of a new run. A file that is not
// a checkpoint, or has other networks, is an Error.
void StartFromCheckpoint(const Config& config, Learner& learner);

}  // namespace dray
