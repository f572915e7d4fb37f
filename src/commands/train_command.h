#pragma once

#include <span>
#include <string>

#include "src/config/config.pb.h"

namespace dray {

// Parses the arguments of train for a training that is stepped from outside.
Config SteppedTrainingConfig(std::span<const std::string> arguments);

}  // namespace dray
