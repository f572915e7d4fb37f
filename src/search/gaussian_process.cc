#include "src/search/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "src/base/error.h"

namespace dray {
namespace {

const double kLog2Pi = std::log(2 * std::numbers::pi);

double LogNormal(double deviation, double variance) {
  return -0.5 * (deviation * deviation / variance + std::log(variance) + kLog2Pi);
}

double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double Sum(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

std::vector<GaussianProcess::Joined> GaussianProcess::Join(
    std::span<const Observation> observations) {
  // During the summation: the weighted sum and the precision.
  std::vector<Joined> joined;
  for (const Observation& one : observations) {
    DRAY_CHECK_GT(one.noise_variance, 0);
    auto at = std::ranges::find(joined, one.point, &Joined::point);
    if (at == joined.end()) at = joined.insert(joined.end(), {one.point, 0, 0});
    at->value += one.value / one.noise_variance;
    at->noise_variance += 1 / one.noise_variance;
  }
  for (Joined& one : joined) {
    one.value /= one.noise_variance;
    one.noise_variance = 1 / one.noise_variance;
  }
  return joined;
}

SquareMatrix GaussianProcess::Covariance() const {
  SquareMatrix covariance(seen_.size());
  for (int i = 0; i < covariance.size(); ++i) {
    const Joined& one = seen_[i];
    DRAY_CHECK(0 <= one.point && one.point < kernel_.size());
    for (int j = 0; j <= i; ++j) {
      covariance(i, j) = covariance(j, i) = scale_ * kernel_(one.point, seen_[j].point);
    }
    covariance(i, i) += one.noise_variance;
  }
  return covariance;
}

GaussianProcess::GaussianProcess(const SquareMatrix& kernel, double scale,
                                 std::span<const Observation> observations)
    : kernel_(kernel),
      scale_(scale),
      observations_(observations.begin(), observations.end()),
      seen_(Join(observations)),
      factor_(Covariance()),
      ones_(factor_.Solve(std::vector<double>(seen_.size(), 1))),
      ones_sum_(Sum(ones_)) {
  if (seen_.empty()) return;
  std::vector<double> values;
  for (const Joined& one : seen_) values.push_back(one.value);
  mean_ = Dot(ones_, values) / ones_sum_;
  for (double& value : values) value -= mean_;
  weights_ = factor_.Solve(values);
  log_likelihood_ = LogScatter() - 0.5 * (Dot(values, weights_) + factor_.LogDeterminant() +
                                          std::log(ones_sum_) + (seen_.size() - 1) * kLog2Pi);
}

// Contribution of the scatter of repeated observations around their mean to the log likelihood.
double GaussianProcess::LogScatter() const {
  double sum = 0;
  for (const Observation& one : observations_) {
    const auto joined = std::ranges::find(seen_, one.point, &Joined::point);
    sum += LogNormal(one.value - joined->value, one.noise_variance);
  }
  for (const Joined& one : seen_) sum -= LogNormal(0, one.noise_variance);
  return sum;
}

std::vector<double> GaussianProcess::ToSeen(int point) const {
  std::vector<double> covariances(seen_.size());
  std::ranges::transform(seen_, covariances.begin(),
                         [&](const Joined& one) { return scale_ * kernel_(point, one.point); });
  return covariances;
}

Posterior GaussianProcess::Believed() const {
  Posterior posterior;
  for (int point = 0; point < kernel_.size(); ++point) {
    const std::vector<double> to_seen = ToSeen(point);
    const std::vector<double> explained = factor_.Forward(to_seen);
    double variance = scale_ * kernel_(point, point) - Dot(explained, explained);
    if (!seen_.empty()) variance += std::pow(1 - Dot(to_seen, ones_), 2) / ones_sum_;
    posterior.mean.push_back(mean_ + Dot(to_seen, weights_));
    // Rounding may make it slightly negative.
    posterior.variance.push_back(std::max(0.0, variance));
  }
  return posterior;
}

Estimate GaussianProcess::Difference(int a, int b) const {
  std::vector<double> to_seen = ToSeen(a);
  const std::vector<double> other = ToSeen(b);
  for (size_t i = 0; i < to_seen.size(); ++i) to_seen[i] -= other[i];
  const std::vector<double> explained = factor_.Forward(to_seen);
  double variance =
      scale_ * (kernel_(a, a) + kernel_(b, b) - 2 * kernel_(a, b)) - Dot(explained, explained);
  if (!seen_.empty()) variance += std::pow(Dot(to_seen, ones_), 2) / ones_sum_;
  return {Dot(to_seen, weights_), std::max(0.0, variance)};
}

std::vector<GaussianProcess::Influence> GaussianProcess::Influences() const {
  const std::vector<double> inverse = factor_.InverseDiagonal();
  std::vector<Influence> influences;
  for (const Observation& one : observations_) {
    const auto joined = std::ranges::find(seen_, one.point, &Joined::point);
    const size_t i = joined - seen_.begin();
    const double noise = joined->noise_variance;
    const double fitted = joined->value - noise * weights_[i];
    const double fitted_variance =
        noise - noise * noise * (inverse[i] - ones_[i] * ones_[i] / ones_sum_);
    influences.push_back(
        {(one.value - fitted) / one.noise_variance,
         1 / one.noise_variance - fitted_variance / (one.noise_variance * one.noise_variance)});
  }
  return influences;
}

}  // namespace dray
