#pragma once

#include <ATen/core/Tensor.h>

#include "src/learn/samples.h"

namespace dray {

// Memory on the device that steps read and add to. It stays in place from update to update.
struct StepBuffers {
  Samples samples;           // all samples of the update, without bags
  at::Tensor order;          // int64 [rows]: row numbers in the order of the pass
  int64_t minibatch = 0;     // rows of the pass's full minibatches
  at::Tensor moments;        // double [minibatches, 2]: AdvantageMoments of each minibatch
  at::Tensor next;           // int64 [1]: position in `order`
  at::Tensor learning_rate;  // single number
  at::Tensor sums;           // double [kStepSums]
  at::Tensor ratio_error;    // single number, the largest so far
};

}  // namespace dray
