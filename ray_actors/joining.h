#pragma once

#include <ray/api.h>

namespace dray_ray {

// ray::Init, with Ray's own lines in its log files alone: the driver's output is the run's.
void JoinQuietly(ray::RayConfig& config);

// For a process whose Ray has ended: it leaves without Ray's destructors, which crash then. What
// was written is flushed and the exit code kept.
void LeaveWithoutRay();

}  // namespace dray_ray
