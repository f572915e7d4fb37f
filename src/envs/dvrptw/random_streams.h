#pragma once

#include "src/base/rng.h"

namespace dray::dvrptw {

// Purposes of the task's random streams, beside those of the engine.
inline constexpr RngPurpose kCityStream{8};          // places and travel times
inline constexpr RngPurpose kRidersStream{9};        // index 0: what riders share; else rider + 1
inline constexpr RngPurpose kFlexibilityStream{11};  // index 0: initialisation; else update
inline constexpr RngPurpose kProblemsStream{13};     // oracle training; index 0: shared; else batch
inline constexpr RngPurpose kNewcomersStream{16};    // days among strangers; index: episode

}  // namespace dray::dvrptw
