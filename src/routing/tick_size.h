#pragma once

#include <optional>
#include <span>

#include "src/routing/problem.h"

namespace dray {

// How finely numbers of a file can be told apart that has no usage of its own: ticks per unit, a
// power of ten. A thousand, more where the longest distance would come to few ticks, fewer where
// the largest number (a distance, a time) would not fit.
int FittingTicksPerUnit(double longest_distance, double largest);

// Fewer ticks than this on the longest distance, and plans that differ cost the same.
inline constexpr int kFewestTicks = 1000;

// What most distances of a file came to when they were rounded.
struct Vanished {
  size_t count = 0;
  size_t of = 0;  // distances above 0
  Ticks to = 0;
};

// Distances that rounding makes vanish: more than half of those above 0 become 0, or become one
// number below ten although they were not the same as written. None when that is not so.
std::optional<Vanished> FindVanished(std::span<const double> distances,
                                     std::span<const Ticks> rounded);

}  // namespace dray
