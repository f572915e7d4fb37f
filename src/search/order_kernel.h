#pragma once

#include "src/config/config.pb.h"
#include "src/search/dense.h"
#include "src/search/orders.h"

namespace dray {

// Prior similarity of the returns of two orders, by the number of pairs that they disagree on. Both
// kernels are positive definite over all orders (Jiao and Vert, 2015), Kendall's only of rank
// n (n - 1) / 2.
//   Mallows  σ² exp(-decay · discordant)
//   Kendall  σ² (1 - 2 discordant / pairs)
double OrderKernel(const SearchConfig& config, int discordant, int pairs, double variance = 1);

// Prior covariance of all orders.
SquareMatrix OrderCovariance(const SearchConfig& config, const Orders& orders);

}  // namespace dray
