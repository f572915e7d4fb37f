#pragma once

#include <memory>

#include "src/nets/cpu_net.h"
#include "src/nets/net_shape.h"

namespace dray {

// The actor or critic that the config asks for.
std::unique_ptr<CpuNet> MakeCpuNet(const EnvSpec& spec, const NetworkConfig& config, NetRole role);

}  // namespace dray
