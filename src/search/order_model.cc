#include "src/search/order_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr double kShares[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
constexpr int kMostIterations = 50;
// Relative precision of the variance. The likelihood is flat there: it changes by about the square
// of this.
constexpr double kClose = 0.01;
// Smallest variance, in units of the scores' own, for scores that episodes explain entirely.
constexpr double kLeastVariance = 1e-4;

double SpreadOf(std::span<const Observation> scores) {
  double sum = 0, squares = 0;
  for (const Observation& one : scores) sum += one.value;
  const double count = scores.size();
  for (const Observation& one : scores) squares += std::pow(one.value - sum / count, 2);
  return squares / (count - 1);
}

// Returns the factor by which the variance is too small: yᵀPMPy / tr(PM) with M the covariance of
// orders and seeds. It is 1 where the derivative of the likelihood is 0, and gives the solution at
// once if episodes have no noise.
double Correction(const GaussianProcess& process, std::span<const Observation> scores) {
  double squares = 0, degrees = std::ssize(scores) - 1;
  const std::vector<GaussianProcess::Influence> influences = process.Influences();
  for (size_t i = 0; i < scores.size(); ++i) {
    const auto& [weight, precision] = influences[i];
    const double noise = scores[i].noise_variance;
    squares += scores[i].value * weight - noise * weight * weight;
    degrees -= noise * precision;
  }
  return std::max(0.0, squares) / degrees;
}

}  // namespace

GaussianProcess Condition(const SquareMatrix& kernel, const OrderModel& model,
                          std::span<const Observation> scores) {
  std::vector<Observation> noisy(scores.begin(), scores.end());
  for (Observation& one : noisy) one.noise_variance += model.seed_variance();
  return GaussianProcess(kernel, model.order_variance(), noisy);
}

OrderModel FitVariance(const SquareMatrix& kernel, std::span<const Observation> scores,
                       double order_share) {
  DRAY_CHECK_GE(scores.size(), 2u);
  const double spread = SpreadOf(scores);
  const double least = kLeastVariance * (spread > 0 ? spread : 1);
  OrderModel model{.variance = std::max(least, spread), .order_share = order_share};
  for (int i = 0; i < kMostIterations; ++i) {
    const GaussianProcess process = Condition(kernel, model, scores);
    model.log_likelihood = process.restricted_log_likelihood();
    const double next = std::max(least, model.variance * Correction(process, scores));
    if (std::abs(next - model.variance) < kClose * model.variance) break;
    model.variance = next;
  }
  return model;
}

std::vector<LikelyModel> LikelyModels(const SquareMatrix& kernel,
                                      std::span<const Observation> scores) {
  std::set<double> different;
  for (const Observation& one : scores) different.insert(one.value);
  if (different.size() < 3) return {{OrderModel(), 1}};
  std::vector<LikelyModel> models;
  double highest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double share : kShares) {
    models.push_back({FitVariance(kernel, scores, share), 0});
    highest = std::max(highest, models.back().model.log_likelihood);
  }
  for (LikelyModel& one : models) {
    one.probability = std::exp(one.model.log_likelihood - highest);
    sum += one.probability;
  }
  for (LikelyModel& one : models) one.probability /= sum;
  return models;
}

OrderModel FitModel(const SquareMatrix& kernel, std::span<const Observation> scores) {
  const std::vector<LikelyModel> models = LikelyModels(kernel, scores);
  return std::ranges::max_element(models, {}, &LikelyModel::probability)->model;
}

}  // namespace dray
