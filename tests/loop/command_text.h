#pragma once

#include <string>
#include <vector>

#include "src/loop/coordinator.h"

namespace dray {

// Commands for a person to read: "drop 3, update 1 2, collect 0".
std::string TextOf(const LoopCommand& command);
std::string TextOf(const std::vector<LoopCommand>& commands);

}  // namespace dray
