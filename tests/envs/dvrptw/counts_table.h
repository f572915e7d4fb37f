#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "src/envs/dvrptw/encodings.h"

namespace dray::dvrptw {

// The table of counts written out, as its definition says; training moves bags in its place.
// `asked` is null after the last request.
inline std::vector<float> CountsTable(const CountsLayout& layout, std::span<const Trip> agreed,
                                      const Trip* asked) {
  std::vector<float> table(static_cast<size_t>(layout.size()));
  const auto add = [&](const Trip& trip, int column) {
    for (const int16_t row : layout.Indices(trip))
      table[static_cast<size_t>(2 * row + column)] += 1;
  };
  for (const Trip& trip : agreed) add(trip, 0);
  if (asked != nullptr) add(*asked, 1);
  return table;
}

// The bag of the state before action k of an episode; that after the last has no new request.
inline std::vector<int16_t> CountsBag(const CountsLayout& layout, std::span<const Trip> asked,
                                      std::span<const Trip> agreed, size_t k) {
  std::vector<int16_t> bag(kCountsBagSize);
  WriteCountsBag(layout, asked[k < asked.size() ? k : 0], k > 0 ? &agreed[k - 1] : nullptr, bag);
  if (k == asked.size()) std::fill_n(bag.begin(), kCountsPerRequest, int16_t{-1});
  return bag;
}

}  // namespace dray::dvrptw
