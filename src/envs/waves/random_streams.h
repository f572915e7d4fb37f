#pragma once

#include "src/base/rng.h"

namespace dray::waves {

// Purposes of the task's random streams, beside those of the engine.
inline constexpr RngPurpose kInstanceStream{18};  // the generated instance
inline constexpr RngPurpose kPolicyStream{19};    // what a policy samples; index: seed of the day

}  // namespace dray::waves
