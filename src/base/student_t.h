#pragma once

#include <cstddef>

namespace dray {

// The 97.5 % quantile of Student's t with that many degrees of freedom: exact for the first few,
// then the Cornish-Fisher expansion around the normal quantile (below 3e-4 off from 9 on).
double StudentT975(size_t degrees);

}  // namespace dray
