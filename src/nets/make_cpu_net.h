#pragma once

#include <memory>

#include "src/nets/cpu_net.h"
#include "src/nets/net_shape.h"

namespace dray {

// Makes the configured actor or critic.
std::unique_ptr<CpuNet> MakeCpuNet(const EnvSpec& spec, const NetworkConfig& config, NetRole role);

}  // namespace dray
