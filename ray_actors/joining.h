#pragma once

#include <ray/api.h>

namespace dray_ray {

// ray::Init without the lines that Ray writes before its log is open. Ray aborts when it cannot join;
// its reason is then the one line of the process, which ends with exit code 1.
void JoinQuietly(ray::RayConfig& config);

// For a process whose Ray has ended: it leaves without Ray's destructors, which crash then. What was
// written is flushed and the exit code kept.
void LeaveWithoutRay();

}  // namespace dray_ray
