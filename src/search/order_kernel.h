#pragma once

#include "src/config/config.pb.h"
#include "src/search/dense.h"
#include "src/search/orders.h"

namespace dray {

// How alike the returns of two orders are expected to be, by the pairs that they disagree on. Both
// kernels are positive definite over all orders (Jiao and Vert, 2015), Kendall's of rank
// n (n - 1) / 2 only.
//   Mallows  σ² exp(-decay · discordant)
//   Kendall  σ² (1 - 2 discordant / pairs)
double OrderKernel(const SearchConfig& config, int discordant, int pairs, double variance = 1);

// The prior covariance of all orders.
SquareMatrix OrderCovariance(const SearchConfig& config, const Orders& orders);

}  // namespace dray
