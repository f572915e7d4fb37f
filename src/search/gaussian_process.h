#pragma once

#include <span>
#include <vector>

#include "src/search/dense.h"

namespace dray {

// A value observed at a point of a finite domain, with normal noise of a variance above 0.
struct Observation {
  int point;
  double value;
  double noise_variance;
};

// Posterior distribution at every point of the domain.
struct Posterior {
  std::vector<double> mean;
  std::vector<double> variance;
};

struct Estimate {
  double mean = 0;
  double variance = 0;
};

// Exact regression of value = μ + f(point) + noise, where f is normal with mean 0 and covariance
// scale · kernel, and μ has a flat prior. Repeated observations of a point are first merged into
// their precision-weighted mean: the posterior is the same, and no linear system is larger than the
// domain.
class GaussianProcess {
 public:
  // The kernel must outlive this object. Without observations, μ is 0.
  GaussianProcess(const SquareMatrix& kernel, double scale,
                  std::span<const Observation> observations);

  // Restricted log likelihood (REML) of the observations, that is, of their contrasts whatever μ
  // is, up to half the logarithm of their number.
  double restricted_log_likelihood() const { return log_likelihood_; }
  // Posterior of μ + f at every point.
  Posterior Believed() const;
  // Posterior of f(a) - f(b).
  Estimate Difference(int a, int b) const;

  // (P value)ᵢ and Pᵢᵢ of each observation, where P is the inverse covariance of the observations
  // projected orthogonally to μ. The derivatives of the likelihood are made of these.
  struct Influence {
    double weight, precision;
  };
  std::vector<Influence> Influences() const;

 private:
  // The merged observations of one point.
  struct Joined {
    int point;
    double value, noise_variance;
  };

  static std::vector<Joined> Join(std::span<const Observation> observations);
  SquareMatrix Covariance() const;
  double LogScatter() const;
  // Returns scale · kernel between a point and all observed points.
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
