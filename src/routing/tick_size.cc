#include "src/routing/tick_size.h"

#include "src/routing/problem.h"

namespace dray {
namespace {

constexpr int kUsual = 1'000;
constexpr int kFinest = 100'000'000;
constexpr double kEnoughTicks = 10.0 * kFewestTicks;

}  // namespace

int FittingTicksPerUnit(double longest_distance, double largest) {
  const auto fits = [&](double ticks) { return largest * ticks < kMaxTicks; };
  int ticks = kUsual;
  while (longest_distance > 0 && longest_distance * ticks < kEnoughTicks && ticks < kFinest &&
         fits(10.0 * ticks)) {
    ticks *= 10;
  }
  while (ticks > 1 && !fits(ticks)) ticks /= 10;
  return ticks;
}

}  // namespace dray
