#pragma once

#include <memory>
#include <vector>

#include "src/envs/waves/instance.h"
#include "src/envs/waves/waves.pb.h"

namespace dray::waves {

using Instances = std::vector<std::shared_ptr<const Instance>>;

// Returns the instances of these settings, at least one. They are read once per process as long as
// the settings stay the same.
Instances InstancesOf(const WavesConfig& settings);

// Replaces the names of files in env.waves.instances by the text of the files.
void CarryInstances(WavesConfig* settings);

}  // namespace dray::waves
