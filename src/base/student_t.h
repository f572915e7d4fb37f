#pragma once

#include <cstddef>

namespace dray {

// Returns the 97.5 % quantile of Student's t distribution with `degrees` degrees of freedom: exact
// up to 8, then by the Cornish-Fisher expansion around the normal quantile (error below 3e-4).
double StudentT975(size_t degrees);

}  // namespace dray
