#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dray {

// Copies `count` rows of `width` numbers, which are `stride` apart, into contiguous memory, as the
// kernels need the columns of one head.
inline float* GatherRows(const float* from, int64_t stride, int64_t count, int64_t width,
                         std::vector<float>& to) {
  to.resize(count * width);
  for (int64_t i = 0; i < count; ++i) std::copy_n(from + i * stride, width, to.data() + i * width);
  return to.data();
}

inline void ScatterRows(const float* from, int64_t count, int64_t width, float* to,
                        int64_t stride) {
  for (int64_t i = 0; i < count; ++i) std::copy_n(from + i * width, width, to + i * stride);
}

// Returns `count` zeros in memory that is reused from call to call.
inline float* Zeros(std::vector<float>& values, int64_t count) {
  values.assign(count, 0.0f);
  return values.data();
}

// Returns `count` uninitialised values in memory that is reused from call to call.
inline float* Buffer(std::vector<float>& values, int64_t count) {
  values.resize(count);
  return values.data();
}

}  // namespace dray
