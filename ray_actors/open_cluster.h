#pragma once

#include <cstddef>

#include "src/api/dray.h"

namespace dray_ray {

// Returns 1 if RAY_ADDRESS names a cluster or one runs on this machine, with that reason in words,
// else 0. Needs no Ray.
int FindCluster(char* reason, size_t reason_size);

// Finds or starts a cluster, then loads the actor library and with it Ray. Returns NULL and writes
// a message to `error` on failure. A program that never calls it never loads Ray.
const dray_cluster* OpenCluster(char* error, size_t error_size);

// Ends what OpenCluster started; call before returning from main. If the run did not end well,
// Ray's logs are kept for a day.
void CloseCluster(bool ended_well);

}  // namespace dray_ray
