#pragma once

#include "src/config/config.pb.h"
#include "src/nets/policy.h"

namespace dray {

// A policy for the config's environment and network whose weights are drawn from `seed`, as a
// learner would publish it.
PolicyWeights MadeUpWeights(const Config& config, uint64_t seed);
PolicyWeights MadeUpWeights(const EnvSpec& spec, const NetworkConfig& network, uint64_t seed);

}  // namespace dray
