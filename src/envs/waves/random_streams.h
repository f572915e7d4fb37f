#pragma once

#include "src/base/rng.h"

namespace dray::waves {

// Purpose of the task's random stream, beside those of the engine.
inline constexpr RngPurpose kInstanceStream{18};  // the generated instance

}  // namespace dray::waves
