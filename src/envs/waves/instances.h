#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/envs/waves/instance.h"
#include "src/envs/waves/waves.pb.h"

namespace dray::waves {

using Instances = std::vector<std::shared_ptr<const Instance>>;

// Returns true if a setting that names a file is the file's text, as in a run that carries it.
bool IsText(const std::string& setting);

// Returns the instances of these settings, at least one. They are read once per process as long as
// the settings stay the same.
Instances InstancesOf(const WavesConfig& settings);

// Replaces the names of files in the settings by the text of the files.
void CarryInstances(WavesConfig* settings);

}  // namespace dray::waves
