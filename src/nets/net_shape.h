#pragma once

#include <cstdint>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/nets/net_role.h"

namespace dray {

// The layer widths of a perceptron for an environment, from the input to `outputs`.
std::vector<int64_t> LayerSizes(const EnvSpec& spec, const NetworkConfig& config, int outputs);

// Of the actor or critic that the config asks for.
int64_t ParameterCount(const EnvSpec& spec, const NetworkConfig& config, NetRole role);

}  // namespace dray
