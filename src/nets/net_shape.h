#pragma once

#include <cstdint>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/nets/net_role.h"

namespace dray {

// Layer widths of a perceptron for an environment, from the input to `outputs`.
std::vector<int64_t> LayerSizes(const EnvSpec& spec, const NetworkConfig& config, int outputs);

int64_t PerceptronParameters(const std::vector<int64_t>& sizes);

// Number of parameters of the configured actor or critic, of an environment as the networks see it
// (WithMemory).
int64_t ParameterCount(const EnvSpec& spec, const NetworkConfig& config, NetRole role);
// Number of parameters of both, with the spread of continuous actions.
int64_t ParameterCount(const EnvSpec& spec, const NetworkConfig& config);

}  // namespace dray
