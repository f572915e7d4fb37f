#pragma once

#include <ATen/core/Tensor.h>

#include "src/nets/net_input.h"

namespace dray {

// Training data of an update, one row per sample, on the learner's device.
struct Samples {
  at::Tensor observations;  // [rows, observation_size], normalised
  Bags bags;                // undefined when the task has none
  at::Tensor masks;         // [rows, actions] bool; undefined without masks
  at::Tensor actions;       // int64 [rows], or float [rows, values]
  at::Tensor appraisals;    // [rows, actions]; undefined when actions are not appraised
  at::Tensor log_probs;     // [rows], under the policy that acted
  at::Tensor values;        // [rows], by the critic before the update
  at::Tensor advantages;    // [rows]
  at::Tensor returns;       // [rows]
  int64_t sequence = 1;     // see NetInput

  int64_t rows() const { return log_probs.size(0); }
  NetInput input() const;
  // Returns copies of some rows, in this order.
  Samples Rows(const at::Tensor& order) const;
  // Returns rows start ... start + length - 1, in the same memory.
  Samples Slice(int64_t start, int64_t length) const;
};

}  // namespace dray
