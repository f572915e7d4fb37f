#pragma once

#include <c10/core/Device.h>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// Where this config's learner is to run on this machine.
at::Device LearnerDevice(const Config& config, const EnvSpec& spec);

}  // namespace dray
