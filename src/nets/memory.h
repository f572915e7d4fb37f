#pragma once

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// Returns the environment as the networks see it. Those of a policy with memory (network.kind gru)
// read rows [observation, memory, 1 if an episode begins]: what the actor remembers from the step
// before is part of the observation. Batches, saved shards and the critic therefore treat it like
// any other number. The result can be passed in again.
EnvSpec WithMemory(EnvSpec spec, const NetworkConfig& config);

// Number of steps that an actor with memory is trained on as a whole: the largest divisor of the
// rollout's steps up to network.memory_steps. 1 without memory.
int SequenceSteps(const NetworkConfig& config, int rollout_steps);

// Number of rows of a minibatch that consists of whole sequences and has about the wanted size.
int64_t MinibatchRows(int64_t wanted, int64_t sequence);

}  // namespace dray
