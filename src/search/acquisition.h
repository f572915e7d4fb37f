#pragma once

#include <span>
#include <vector>

#include "src/config/config.pb.h"
#include "src/search/gaussian_process.h"

namespace dray {

// β of trial t = 1, 2, ...: what the uncertainty counts. Srinivas et al. (2010), theorem 1, for a
// finite domain: β = 2 ln(|D| t² π² / (6 δ)); or the fixed one of the config.
double Beta(const SearchConfig& config, int domain, int trial);

// mean + √β · standard deviation, of every point.
std::vector<double> UpperBounds(const Posterior& posterior, double beta);

// The point with the highest bound. Of those that are as high but for rounding: one that is not
// `seen` before one that is, then the lowest. Points that are `taken` are left out, unless all are.
int HighestBound(std::span<const double> bounds, const std::vector<bool>& seen,
                 const std::vector<bool>& taken);

}  // namespace dray
