#pragma once

#include <ray/api.h>

namespace dray_ray {

// Calls ray::Init and keeps Ray's messages out of the driver's output; they go only to its log
// files.
void JoinQuietly(ray::RayConfig& config);

// Makes the process exit without running Ray's destructors, which crash if Ray has ended. Output is
// flushed and the exit code kept.
void LeaveWithoutRay();

}  // namespace dray_ray
