#pragma once

#include <ATen/core/Tensor.h>

#include "src/base/rng.h"

namespace dray {

// Returns an orthogonal [in, out] matrix times gain: the Q of a random normal matrix with unique
// signs.
at::Tensor Orthogonal(int64_t in, int64_t out, double gain, Rng& rng);

}  // namespace dray
