#pragma once

#include <span>
#include <vector>

#include "src/config/config.pb.h"
#include "src/search/gaussian_process.h"

namespace dray {

// Returns β of trial t = 1, 2, ..., the weight of the uncertainty: either fixed by the config, or
// that of Srinivas et al. (2010), theorem 1, for a finite domain: β = 2 ln(|D| t² π² / (6 δ)).
double Beta(const SearchConfig& config, int domain, int trial);

// Returns mean + √β · standard deviation of every point.
std::vector<double> UpperBounds(const Posterior& posterior, double beta);

// Returns the point with the highest bound. Bounds that differ only by rounding are ties: a point
// that is not `seen` wins over one that is, then the lowest index. Points that are `taken` are
// skipped unless all are.
int HighestBound(std::span<const double> bounds, const std::vector<bool>& seen,
                 const std::vector<bool>& taken);

}  // namespace dray
