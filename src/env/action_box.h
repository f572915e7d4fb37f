#pragma once

#include <cstddef>
#include <span>

#include "src/env/env.h"

namespace dray {

// Clips the action of an environment, whose number is `env`, to the box of the spec. A value that
// is not a number is an Error.
void ClipToBox(const EnvSpec& spec, size_t env, std::span<const float> values,
               std::span<float> clipped);

}  // namespace dray
