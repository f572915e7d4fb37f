#include "src/search/order_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/search/acquisition.h"
#include "src/search/order_kernel.h"

namespace dray {
namespace {

// Of a mean, in units of the spread of returns: an objective without noise stays well-conditioned.
constexpr double kLeastNoise = 1e-6;

}  // namespace

OrderSearch::OrderSearch(const SearchConfig& config, int items, uint64_t seed)
    : config_(config),
      orders_(items),
      seed_(seed),
      prior_(config.strategy() == SearchConfig::RANDOM ? SquareMatrix(0)
                                                       : OrderCovariance(config, orders_)) {}

void OrderSearch::Tell(int order, const TrialResult& result) {
  if (order < 0 || order >= orders_.count()) {
    throw Failure("there is no order ", order, " among ", orders_.count());
  }
  if (result.episodes < 0 || !(result.return_variance >= 0) ||
      !std::isfinite(result.return_variance) ||
      !(result.compliance >= 0 && result.compliance <= 1)) {
    throw Failure("order ", order, " has an impossible result: ", result.episodes,
                  " episodes, variance ", result.return_variance, ", compliance ",
                  result.compliance);
  }
  results_.push_back({order, result});
}

bool OrderSearch::Counts(const TrialResult& result) const {
  return result.episodes > 0 && std::isfinite(result.mean_return) &&
         result.compliance >= config_.compliance_at_least();
}

OrderSearch::Scale OrderSearch::ScaleNow() const {
  Scale scale;
  double count = 0, sum = 0, with_variance = 0, variances = 0;
  for (const Told& told : results_) {
    if (!Counts(told.result)) continue;
    ++count;
    sum += told.result.mean_return;
    if (told.result.episodes < 2) continue;
    ++with_variance;
    variances += told.result.return_variance;
  }
  if (count == 0) return scale;
  scale.mean = sum / count;
  if (with_variance > 0) scale.episode_variance = variances / with_variance;
  double squares = 0;
  for (const Told& told : results_) {
    if (Counts(told.result)) squares += std::pow(told.result.mean_return - scale.mean, 2);
  }
  const double spread = std::sqrt(squares / count);
  // Less than the returns' own rounding is no spread: as far as is known, orders may differ as
  // much as episodes do.
  const bool has_spread = spread > 1e-9 * std::max(1.0, std::abs(scale.mean));
  const double of_episodes = std::sqrt(scale.episode_variance);
  scale.deviation = has_spread ? spread : of_episodes > 0 ? of_episodes : 1;
  return scale;
}

double OrderSearch::NoiseOf(const TrialResult& result, const Scale& scale) const {
  const double variance = result.episodes > 1 ? result.return_variance : scale.episode_variance;
  const auto episodes = static_cast<double>(std::max<int64_t>(1, result.episodes));
  return std::max(kLeastNoise, variance / episodes / (scale.deviation * scale.deviation));
}

std::vector<Observation> OrderSearch::Counted(const Scale& scale) const {
  std::vector<Observation> observations;
  for (const Told& told : results_) {
    if (!Counts(told.result)) continue;
    observations.push_back({told.order, (told.result.mean_return - scale.mean) / scale.deviation,
                            NoiseOf(told.result, scale)});
  }
  return observations;
}

std::vector<int> OrderSearch::Next(int count) const {
  DRAY_CHECK_GE(count, 0);
  return config_.strategy() == SearchConfig::RANDOM ? NextAtRandom(count) : NextByBound(count);
}

std::vector<int> OrderSearch::NextByBound(int count) const {
  const Scale scale = ScaleNow();
  std::vector<Observation> observations = Counted(scale);
  Posterior posterior = Regress(prior_, observations);
  // Observations at the mean leave the mean as it is, and take from the variance alone.
  const std::vector<double> mean = posterior.mean;
  const auto imagine = [&](int order, double noise) {
    observations.push_back({order, mean[static_cast<size_t>(order)], noise});
  };

  std::vector<bool> seen(mean.size()), taken(mean.size());
  double noise = 0;
  for (const Told& told : results_) {
    seen[static_cast<size_t>(told.order)] = true;
    noise += NoiseOf(told.result, scale) / static_cast<double>(results_.size());
    if (!Counts(told.result)) imagine(told.order, NoiseOf(told.result, scale));
  }
  std::vector<int> chosen;
  for (int i = 0; i < count; ++i) {
    if (!observations.empty()) posterior.variance = Regress(prior_, observations).variance;
    const double beta = Beta(config_, orders_.count(), told() + i + 1);
    const int order = HighestBound(UpperBounds(posterior, beta), seen, taken);
    chosen.push_back(order);
    taken[static_cast<size_t>(order)] = true;
    imagine(order, std::max(kLeastNoise, noise));
  }
  return chosen;
}

std::vector<int> OrderSearch::NextAtRandom(int count) const {
  Rng rng(seed_, RngPurpose::kWorkflows, 0);
  std::vector<int> rounds;
  while (static_cast<int>(rounds.size()) < told() + count) {
    std::vector<int> round(static_cast<size_t>(orders_.count()));
    std::iota(round.begin(), round.end(), 0);
    rng.Shuffle(std::span<int>(round));
    rounds.insert(rounds.end(), round.begin(), round.end());
  }
  const auto first = rounds.begin() + told();
  return {first, first + count};
}

OrderSearch::Belief OrderSearch::Believed() const {
  const Scale scale = ScaleNow();
  // Random search has no model to choose by, but what it found may be looked at with one.
  const Posterior posterior =
      Regress(prior_.size() > 0 ? prior_ : OrderCovariance(config_, orders_), Counted(scale));
  const double beta = Beta(config_, orders_.count(), told() + 1);
  Belief belief;
  belief.log_marginal_likelihood = posterior.log_marginal_likelihood;
  belief.upper_bound = UpperBounds(posterior, beta);
  for (double& bound : belief.upper_bound) bound = scale.mean + scale.deviation * bound;
  for (size_t i = 0; i < posterior.mean.size(); ++i) {
    belief.mean.push_back(scale.mean + scale.deviation * posterior.mean[i]);
    belief.standard_deviation.push_back(scale.deviation * std::sqrt(posterior.variance[i]));
  }
  return belief;
}

}  // namespace dray
