#pragma once

#include <ATen/core/Tensor.h>

namespace dray {

// How probable stored actions are under a policy's outputs, and how undecided the policy is: one
// number per row, differentiable. A policy's outputs are logits or means, one row per sample.
struct ActionStats {
  at::Tensor log_probs;     // [rows]
  at::Tensor entropy;       // [rows]
  at::Tensor outputs = {};  // [rows, outputs]: the policy's own, where they are asked for with it
};

// Discrete actions [rows] (int64) under the softmax of the logits. With a mask (bool, true =
// allowed) the distribution is renormalised over the allowed actions: the others have probability
// exactly 0, and no gradient reaches their logits.
ActionStats MaskedCategorical(const at::Tensor& logits, const at::Tensor& mask,
                              const at::Tensor& actions);

// Continuous actions [rows, values] under independent normal distributions whose deviation does not
// depend on the state; log-probabilities and entropies are summed over the values.
ActionStats DiagonalGaussian(const at::Tensor& means, const at::Tensor& log_std,
                             const at::Tensor& actions);

}  // namespace dray
