#pragma once

#include <string>

namespace dray_ray {

// Ray ends a driver whose node or head has died at once, by _Exit(1) from a thread of its own and
// without a word. The program that this is linked into prints this line on the standard error
// first; an empty line: nothing.
void SayWhenRayIsLost(const std::string& line);

}  // namespace dray_ray
