#include "src/routing/tick_size.h"

#include <algorithm>
#include <vector>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr int kUsual = 1'000;
constexpr int kFinest = 100'000'000;
constexpr double kEnoughTicks = 10.0 * kFewestTicks;
// From here on, rounding changes a distance by at most a twentieth.
constexpr Ticks kFineTicks = 10;

// Returns the most frequent value and its count.
template <typename T>
std::pair<T, size_t> MostFrequent(std::vector<T>& values) {
  std::ranges::sort(values);
  std::pair<T, size_t> most = {};
  for (auto begin = values.begin(); begin != values.end();) {
    const auto end = std::upper_bound(begin, values.end(), *begin);
    const size_t count = end - begin;
    if (count > most.second) most = {*begin, count};
    begin = end;
  }
  return most;
}

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

std::optional<Vanished> FindVanished(std::span<const double> distances,
                                     std::span<const Ticks> rounded) {
  DRAY_CHECK_EQ(distances.size(), rounded.size());
  std::vector<double> written;
  std::vector<Ticks> became;
  for (size_t i = 0; i < distances.size(); ++i) {
    if (distances[i] <= 0) continue;
    written.push_back(distances[i]);
    became.push_back(rounded[i]);
  }
  const auto [to, count] = MostFrequent(became);
  if (2 * count <= written.size() || to >= kFineTicks) return {};
  if (to > 0 && 2 * MostFrequent(written).second > written.size()) return {};
  return Vanished{.count = count, .of = written.size(), .to = to};
}

}  // namespace dray
