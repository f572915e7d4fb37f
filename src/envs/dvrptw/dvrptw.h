#pragma once

#include <memory>

#include "src/config/config.pb.h"
#include "src/envs/env.h"

namespace dray {

// The delivery task in the mode that its config asks for.
std::unique_ptr<BatchEnv> MakeDvrptw(const EnvConfig& config, const EnvStreams& streams, int count);

}  // namespace dray
