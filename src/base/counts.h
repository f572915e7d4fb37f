#pragma once

#include <cstdint>

namespace dray {

// Whether a counter that was read from bytes can be one: not negative, and so far from the largest
// number that counting on never gets there.
inline bool IsCount(int64_t value) { return value >= 0 && value <= int64_t{1} << 53; }
inline bool IsCount(int32_t value) { return value >= 0 && value <= int32_t{1} << 30; }

}  // namespace dray
