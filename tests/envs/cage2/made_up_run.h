#pragma once

#include <string>

#include "src/config/config.pb.h"

namespace dray {

// The settings of a small run of cage2 or cage2_red.
Config SmallRun(const std::string& env);

// Writes the folder of a run with these settings, whose weights are drawn from `seed`, and returns
// its path, which ends in `name`.
std::string MadeUpRun(const std::string& name, const Config& config, uint64_t seed);

}  // namespace dray
