#pragma once

#include <optional>
#include <span>

#include "src/routing/problem.h"

namespace dray {

// Chooses ticks per unit for a file format without a custom, as a power of ten: a thousand, more if
// the longest distance would have few ticks, fewer if the largest number (a distance or a time)
// would not fit.
int FittingTicksPerUnit(double longest_distance, double largest);

// Minimum ticks on the longest distance. With fewer, different plans would cost the same.
inline constexpr int kFewestTicks = 1000;

// The value that most distances of a file were rounded to.
struct Vanished {
  size_t count = 0;
  size_t of = 0;  // number of distances above 0
  Ticks to = 0;
};

// Detects distances that vanish by rounding: more than half of those above 0 become 0, or become
// the same number below ten although they differed in the file. Returns nothing if that is not so.
std::optional<Vanished> FindVanished(std::span<const double> distances,
                                     std::span<const Ticks> rounded);

}  // namespace dray
