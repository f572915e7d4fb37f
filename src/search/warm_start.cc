#include "src/search/warm_start.h"

#include <cmath>
#include <limits>
#include <utility>

namespace dray {

std::string NearestCheckpoint(const Orders& orders, int order,
                              std::span<const FinishedTrial> trials) {
  std::string nearest;
  std::pair<int, double> best = {std::numeric_limits<int>::max(), 0};
  for (const auto& [trial, result] : trials) {
    if (result.checkpoint.empty() || !std::isfinite(result.mean_return)) continue;
    const std::pair<int, double> rank = {orders.DiscordantPairs(order, trial.order),
                                         -result.mean_return};
    if (rank >= best) continue;
    best = rank;
    nearest = result.checkpoint;
  }
  return nearest;
}

}  // namespace dray
