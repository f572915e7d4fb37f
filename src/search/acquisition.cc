#include "src/search/acquisition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "src/base/error.h"

namespace dray {
namespace {

// Bounds are of standardised returns. Orders that are equivalent by symmetry differ by less than
// this, and the choice among them must not depend on the machine's rounding.
constexpr double kAlike = 1e-9;

}  // namespace

double Beta(const SearchConfig& config, int domain, int trial) {
  DRAY_CHECK_GE(trial, 1);
  if (config.beta() == SearchConfig::FIXED) return config.beta_value();
  const double t = trial;
  return 2 * std::log(domain * t * t * std::numbers::pi * std::numbers::pi / (6 * config.delta()));
}

std::vector<double> UpperBounds(const Posterior& posterior, double beta) {
  std::vector<double> bounds(posterior.mean.size());
  for (size_t i = 0; i < bounds.size(); ++i) {
    bounds[i] = posterior.mean[i] + std::sqrt(beta * posterior.variance[i]);
  }
  return bounds;
}

int HighestBound(std::span<const double> bounds, const std::vector<bool>& seen,
                 const std::vector<bool>& taken) {
  const bool all_taken = std::ranges::count(taken, true) == std::ssize(taken);
  const auto allowed = [&](size_t i) { return all_taken || !taken[i]; };
  double highest = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (allowed(i)) highest = std::max(highest, bounds[i]);
  }
  int best = -1;
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (!allowed(i) || bounds[i] < highest - kAlike) continue;
    if (!seen[i]) return i;
    if (best < 0) best = i;
  }
  DRAY_CHECK_GE(best, 0);
  return best;
}

}  // namespace dray
