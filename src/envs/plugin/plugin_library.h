#pragma once

#include <string>

#include "src/env/env.h"
#include "src/envs/plugin/dray_env.h"

namespace dray {

// Returns the functions of a library with environments. A file that cannot be loaded, another
// version of dray_env.h or a missing function is an Error. The library stays loaded until the
// process ends: its threads and destructors may still run.
const dray_env_table& LoadPlugin(const std::string& path);

// Returns what a library says about its environments; an Error if it makes no sense.
EnvSpec SpecOfPlugin(const std::string& path, const dray_env_table& table,
                     const dray_env_spec& given);

}  // namespace dray
