#include "src/search/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "src/base/error.h"

namespace dray {
namespace {

const double kLog2Pi = std::log(2 * std::numbers::pi);

double LogNormal(double deviation, double variance) {
  return -0.5 * (deviation * deviation / variance + std::log(variance) + kLog2Pi);
}

struct Joined {
  std::vector<Observation> observations;  // one for each point
  // What the scatter of repeated observations around their mean adds to the log likelihood.
  double log_scatter = 0;
};

Joined JoinByPoint(std::span<const Observation> observations) {
  std::map<int, std::vector<Observation>> by_point;
  for (const Observation& seen : observations) {
    DRAY_CHECK_GT(seen.noise_variance, 0);
    by_point[seen.point].push_back(seen);
  }
  Joined joined;
  for (const auto& [point, seen] : by_point) {
    double precision = 0, weighted = 0;
    for (const Observation& one : seen) {
      precision += 1 / one.noise_variance;
      weighted += one.value / one.noise_variance;
    }
    const double mean = weighted / precision;
    joined.observations.push_back({point, mean, 1 / precision});
    for (const Observation& one : seen) {
      joined.log_scatter += LogNormal(one.value - mean, one.noise_variance);
    }
    joined.log_scatter -= LogNormal(0, 1 / precision);
  }
  return joined;
}

double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Posterior Regress(const SquareMatrix& prior, std::span<const Observation> observations) {
  const Joined joined = JoinByPoint(observations);
  const std::vector<Observation>& seen = joined.observations;
  const int count = static_cast<int>(seen.size());
  SquareMatrix covariance(count);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const Observation& one = seen[static_cast<size_t>(i)];
    DRAY_CHECK(0 <= one.point && one.point < prior.size());
    for (int j = 0; j < count; ++j) {
      covariance(i, j) = prior(one.point, seen[static_cast<size_t>(j)].point);
    }
    covariance(i, i) += one.noise_variance;
    values.push_back(one.value);
  }
  const Cholesky factor(covariance);
  const std::vector<double> weights = factor.Solve(values);

  Posterior posterior;
  std::vector<double> to_seen(seen.size());
  for (int point = 0; point < prior.size(); ++point) {
    std::ranges::transform(seen, to_seen.begin(),
                           [&](const Observation& one) { return prior(point, one.point); });
    const std::vector<double> explained = factor.Forward(to_seen);
    posterior.mean.push_back(Dot(to_seen, weights));
    // Rounding may leave a little less than nothing.
    posterior.variance.push_back(std::max(0.0, prior(point, point) - Dot(explained, explained)));
  }
  posterior.log_marginal_likelihood =
      joined.log_scatter - 0.5 * (Dot(values, weights) + factor.LogDeterminant() + count * kLog2Pi);
  return posterior;
}

}  // namespace dray
