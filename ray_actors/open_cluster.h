#pragma once

#include <cstddef>

#include "src/api/dray.h"

namespace dray_ray {

// For a run that asks for a cluster: finds or starts one, then loads the actor library and with it
// Ray. NULL with a message in `error` when that fails. Programs that never call it never touch Ray.
const dray_cluster* OpenCluster(char* error, size_t error_size);

// Ends what OpenCluster started, on the way out of main. Ray's logs stay for a day unless the run
// ended well.
void CloseCluster(bool ended_well);

}  // namespace dray_ray
