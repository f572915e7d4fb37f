#include "src/search/order_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/search/acquisition.h"
#include "src/search/order_kernel.h"

namespace dray {
namespace {

// Smallest noise of a mean, in units of the spread of returns; keeps an objective without noise
// well-conditioned.
constexpr double kLeastNoise = 1e-6;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

OrderSearch::OrderSearch(const SearchConfig& config, int items, uint64_t seed)
    : config_(config), seed_(seed) {
  const Orders orders(items);
  domain_ = std::make_shared<const Domain>(Domain{orders, OrderCovariance(config, orders)});
}

OrderSearch OrderSearch::Fresh(uint64_t seed) const {
  OrderSearch fresh = *this;
  fresh.seed_ = seed;
  fresh.results_.clear();
  return fresh;
}

void OrderSearch::Tell(int order, const TrialResult& result) {
  if (order < 0 || order >= orders().count()) {
    throw Failure("there is no order ", order, " among ", orders().count());
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

std::vector<bool> OrderSearch::Counted() const {
  std::vector<bool> counted;
  for (const Told& told : results_) counted.push_back(Counts(told.result));
  return counted;
}

OrderSearch::Scores OrderSearch::Scored() const {
  Scores scores;
  double count = 0, sum = 0, with_variance = 0, variances = 0;
  for (const Told& told : results_) {
    if (!Counts(told.result)) continue;
    ++count;
    sum += told.result.mean_return;
    if (told.result.episodes < 2) continue;
    ++with_variance;
    variances += told.result.return_variance;
  }
  if (count == 0) return scores;
  scores.mean = sum / count;
  if (with_variance > 0) scores.episode_variance = variances / with_variance;
  double squares = 0;
  for (const Told& told : results_) {
    if (Counts(told.result)) squares += std::pow(told.result.mean_return - scores.mean, 2);
  }
  const double spread = std::sqrt(squares / count);
  // A spread below the returns' own rounding is none. Orders are then assumed to differ as much as
  // episodes do.
  const bool has_spread = spread > 1e-9 * std::max(1.0, std::abs(scores.mean));
  const double of_episodes = std::sqrt(scores.episode_variance);
  scores.deviation = has_spread ? spread : of_episodes > 0 ? of_episodes : 1;
  for (const Told& told : results_) {
    if (!Counts(told.result)) continue;
    const double off = has_spread ? told.result.mean_return - scores.mean : 0;
    scores.values.push_back({told.order, off / scores.deviation, NoiseOf(told.result, scores)});
  }
  return scores;
}

double OrderSearch::NoiseOf(const TrialResult& result, const Scores& scale) const {
  const double variance = result.episodes > 1 ? result.return_variance : scale.episode_variance;
  const double episodes = std::max<int64_t>(1, result.episodes);
  return std::max(kLeastNoise, variance / episodes / (scale.deviation * scale.deviation));
}

int OrderSearch::RandomOf(int trials) const {
  if (config_.strategy() == SearchConfig::RANDOM) return trials;
  return std::ceil(config_.random_share() * trials - 1e-9);
}

std::vector<OrderSearch::Choice> OrderSearch::Next(int count) const {
  DRAY_CHECK_GE(count, 0);
  const Scores scores = Scored();
  const OrderModel model = FitModel(kernel(), scores.values);
  std::vector<Observation> observations = scores.values;
  Posterior posterior = Condition(kernel(), model, observations).Believed();
  // Observations at the mean leave the mean unchanged and only reduce the variance.
  const auto imagine = [&](int order, double noise) {
    observations.push_back({order, posterior.mean[order], noise});
  };

  std::vector<bool> seen(posterior.mean.size()), taken(posterior.mean.size());
  double noise = 0;
  for (const Told& told : results_) {
    seen[told.order] = true;
    noise += NoiseOf(told.result, scores) / results_.size();
    if (!Counts(told.result)) imagine(told.order, NoiseOf(told.result, scores));
  }
  std::vector<Choice> chosen;
  for (int i = 0; i < count; ++i) {
    if (observations.size() > scores.values.size()) {
      posterior.variance = Condition(kernel(), model, observations).Believed().variance;
    }
    const double beta = Beta(config_, orders().count(), told() + i + 1);
    const std::vector<double> bounds = UpperBounds(posterior, beta);
    const int random = RandomOf(told() + i);
    int order = RandomOf(told() + i + 1) > random ? AtRandom(random) : -1;
    if (order < 0 || taken[order]) order = HighestBound(bounds, seen, taken);
    chosen.push_back(InReturns(scores, order, posterior, bounds));
    taken[order] = true;
    imagine(order, std::max(kLeastNoise, noise));
  }
  return chosen;
}

OrderSearch::Choice OrderSearch::InReturns(const Scores& scores, int order,
                                           const Posterior& posterior,
                                           std::span<const double> bounds) {
  if (scores.values.empty()) return {order, kUnknown, kUnknown, kUnknown};
  const size_t i = order;
  return {order, scores.mean + scores.deviation * posterior.mean[i],
          scores.deviation * std::sqrt(posterior.variance[i]),
          scores.mean + scores.deviation * bounds[i]};
}

int OrderSearch::AtRandom(int n) const {
  // Rounds of all orders, each shuffled.
  Rng rng(seed_, RngPurpose::kWorkflows, 0);
  std::vector<int> round(orders().count());
  std::iota(round.begin(), round.end(), 0);
  for (int last = n / orders().count(); last >= 0; --last) rng.Shuffle(std::span<int>(round));
  return round[n % orders().count()];
}

OrderSearch::Belief OrderSearch::Believed() const {
  const Scores scores = Scored();
  const OrderModel model = FitModel(kernel(), scores.values);
  const Posterior posterior = Condition(kernel(), model, scores.values).Believed();
  const double beta = Beta(config_, orders().count(), told() + 1);
  Belief belief;
  belief.order_share = model.order_share;
  belief.order_deviation = scores.deviation * std::sqrt(model.order_variance());
  belief.seed_deviation = scores.deviation * std::sqrt(model.seed_variance());
  belief.upper_bound = UpperBounds(posterior, beta);
  for (double& bound : belief.upper_bound) bound = scores.mean + scores.deviation * bound;
  for (size_t i = 0; i < posterior.mean.size(); ++i) {
    belief.mean.push_back(scores.mean + scores.deviation * posterior.mean[i]);
    belief.standard_deviation.push_back(scores.deviation * std::sqrt(posterior.variance[i]));
  }
  return belief;
}

Estimate OrderSearch::Difference(int a, int b) const {
  const Scores scores = Scored();
  Estimate sum;  // holds the second moment instead of the variance
  for (const auto& [model, probability] : LikelyModels(kernel(), scores.values)) {
    const Estimate one = Condition(kernel(), model, scores.values).Difference(a, b);
    sum.mean += probability * one.mean;
    sum.variance += probability * (one.variance + one.mean * one.mean);
  }
  const double square = scores.deviation * scores.deviation;
  return {scores.deviation * sum.mean, square * (sum.variance - sum.mean * sum.mean)};
}

}  // namespace dray
