#pragma once

#include <cstdint>

namespace dray {

// Returns true for a plausible counter read from bytes: not negative, and far enough from the
// largest representable number that further counting never reaches it.
inline bool IsCount(int64_t value) { return value >= 0 && value <= int64_t{1} << 53; }
inline bool IsCount(int32_t value) { return value >= 0 && value <= int32_t{1} << 30; }

}  // namespace dray
