#pragma once

#include <ATen/core/Tensor.h>

namespace dray {

// PPO's losses as pure functions of one minibatch: tensors [rows] in, differentiable scalars out.

struct PolicyLoss {
  at::Tensor loss;           // mean of max(-A r, -A clip(r)), r the ratio of new to old probability
  at::Tensor clip_fraction;  // share of samples whose ratio lies outside the clip range
  at::Tensor kl_k1;          // mean of -log r: unbiased estimate of KL(old || new)
  at::Tensor kl_k3;          // mean of (r - 1) - log r: also unbiased, never negative
  at::Tensor ratio_error;    // largest |r - 1|
};
PolicyLoss ClippedPolicyLoss(const at::Tensor& log_probs, const at::Tensor& old_log_probs,
                             const at::Tensor& advantages, double clip);

// Half the mean squared error of the logits against appraisals / temperature, over the allowed
// actions of each state ([rows, actions] all; `masks` may be undefined), where of both only the
// differences within a state count.
at::Tensor AppraisalLoss(const at::Tensor& logits, const at::Tensor& masks,
                         const at::Tensor& appraisals, double temperature);

// Half the mean squared error. With clip > 0 in PPO2's form: the larger of the errors of the value
// and of the value kept within +-clip of the old one.
at::Tensor ValueLoss(const at::Tensor& values, const at::Tensor& old_values,
                     const at::Tensor& returns, double clip);

// Mean 0, standard deviation 1 (unbiased, epsilon 1e-8). A single sample stays as it is.
at::Tensor NormalizedAdvantages(const at::Tensor& advantages);

}  // namespace dray
