#pragma once

#include <string>

namespace dray_ray {

// Sets the line to print to standard error if Ray ends this process; an empty line prints nothing.
// When a driver's node or head has died, Ray calls _Exit(1) on one of its threads, without a
// message.
void SayWhenRayIsLost(const std::string& line);

}  // namespace dray_ray
