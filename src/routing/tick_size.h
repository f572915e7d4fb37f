#pragma once

namespace dray {

// How finely numbers of a file can be told apart that has no usage of its own: ticks per unit, a
// power of ten. A thousand, more where the longest distance would come to few ticks, fewer where
// the largest number (a distance, a time) would not fit.
int FittingTicksPerUnit(double longest_distance, double largest);

// Fewer ticks than this on the longest distance, and plans that differ cost the same.
inline constexpr int kFewestTicks = 1000;

}  // namespace dray
