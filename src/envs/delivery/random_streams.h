#pragma once

#include "src/base/rng.h"

namespace dray::delivery {

// Purpose of the random streams of both delivery tasks, beside those of the engine.
inline constexpr RngPurpose kFuturesStream{15};  // how a planner imagines the rest of a day

}  // namespace dray::delivery
