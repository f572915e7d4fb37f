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
  double log_marginal_likelihood = 0;  // of the observations
};

// Exact Gaussian process regression with prior mean 0. Observations of one point count as
// separate ones, but are joined into one of their precision-weighted mean beforehand: the posterior
// is the same, and no system to solve is larger than the domain.
Posterior Regress(const SquareMatrix& prior, std::span<const Observation> observations);

}  // namespace dray
