#pragma once

#include <algorithm>
#include <cstdint>

namespace dray {

// The range first ... first + count - 1.
struct Range {
  int64_t first = 0;
  int64_t count = 0;
};

// Number of parts, from 1 to `most`, such that each has at least `least` elements.
inline int PartsOf(int64_t total, int64_t least, int64_t most) {
  return std::clamp<int64_t>(total / least, 1, most);
}

// Returns one of `parts` parts of 0 ... total - 1 of about equal length, each but the last a
// multiple of `unit`.
inline Range PartOf(int64_t total, int part, int parts, int64_t unit) {
  const int64_t units = (total + unit - 1) / unit;
  const auto end = [&](int64_t at) { return std::min(total, units * at / parts * unit); };
  return {end(part), end(part + 1) - end(part)};
}

}  // namespace dray
