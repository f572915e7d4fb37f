#pragma once

#include <span>
#include <vector>

#include "src/search/dense.h"

namespace dray {

// A value that was seen at a point of a finite domain, with normal noise of that variance, which is
// above 0.
struct Observation {
  int point;
  double value;
  double noise_variance;
};

// What is believed of every point of the domain.
struct Posterior {
  std::vector<double> mean;
  std::vector<double> variance;
};

struct Estimate {
  double mean = 0;
  double variance = 0;
};

// Exact regression of value = μ + f(point) + noise: f is normal with mean 0 and covariance scale ·
// kernel, nothing is known of μ beforehand. Observations of one point count as separate ones, but
// are joined into one of their precision-weighted mean beforehand: the posterior is the same, and
// no system to solve is larger than the domain.
class GaussianProcess {
 public:
  // The kernel outlives this object. Without observations μ is 0.
  GaussianProcess(const SquareMatrix& kernel, double scale,
                  std::span<const Observation> observations);

  // Of the observations' contrasts, whatever μ is (REML), up to half the logarithm of their number.
  double restricted_log_likelihood() const { return log_likelihood_; }
  // Of μ + f, at every point.
  Posterior Believed() const;
  // Of f(a) - f(b).
  Estimate Difference(int a, int b) const;

  // With P the inverse covariance of the observations less what μ takes: (P value)ᵢ and Pᵢᵢ of
  // each observation, which the derivatives of the likelihood are made of.
  struct Influence {
    double weight, precision;
  };
  std::vector<Influence> Influences() const;

 private:
  // The observations of one point as one.
  struct Joined {
    int point;
    double value, noise_variance;
  };

  static std::vector<Joined> Join(std::span<const Observation> observations);
  SquareMatrix Covariance() const;
  double LogScatter() const;
  // scale · kernel between a point and all that were seen.
  std::vector<double> ToSeen(int point) const;

  const SquareMatrix& kernel_;
  double scale_;
  std::vector<Observation> observations_;
  std::vector<Joined> seen_;
  Cholesky factor_;
  std::vector<double> ones_;     // C⁻¹ 1
  std::vector<double> weights_;  // C⁻¹ (value - μ)
  double ones_sum_ = 0;          // 1ᵀ C⁻¹ 1
  double mean_ = 0;              // μ, by generalised least squares
  double log_likelihood_ = 0;
};

}  // namespace dray
