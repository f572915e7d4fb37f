#pragma once

#include <span>
#include <string>

#include "src/config/config.pb.h"

namespace dray {

// The settings of a training that is stepped from outside, by the arguments of train.
Config SteppedTrainingConfig(std::span<const std::string> arguments);

}  // namespace dray
