#pragma once

#include <ATen/core/Tensor.h>

namespace dray {

// Log-probability of stored actions under a policy's outputs, and the policy's entropy: one number
// per row, differentiable. The outputs are logits or means, one row per sample.
struct ActionStats {
  at::Tensor log_probs;     // [rows]
  at::Tensor entropy;       // [rows]
  at::Tensor outputs = {};  // [rows, outputs]: the policy's outputs, if requested
};

// Evaluates discrete actions [rows] (int64) under the softmax of the logits. With a mask (bool,
// true = allowed), the distribution is renormalised over the allowed actions: the others have
// probability exactly 0 and their logits get no gradient.
ActionStats MaskedCategorical(const at::Tensor& logits, const at::Tensor& mask,
                              const at::Tensor& actions);

// Evaluates continuous actions [rows, values] under independent normal distributions with a
// state-independent deviation. Log-probabilities and entropies are summed over the values.
ActionStats DiagonalGaussian(const at::Tensor& means, const at::Tensor& log_std,
                             const at::Tensor& actions);

}  // namespace dray
