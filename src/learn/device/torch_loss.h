#pragma once

#include <ATen/core/Tensor.h>

#include <array>

#include "src/learn/loss_terms.h"

namespace dray {

// PPO's losses as pure functions of one minibatch: tensors [rows] in, differentiable scalars out.
// They are the reference that the losses of loss_terms.h are tested against.

// Scalars of a minibatch by LossTerm.
using TermTensors = std::array<at::Tensor, kLossTerms>;

// Returns every term but entropy and appraisal loss; the policy loss can be differentiated.
TermTensors ClippedPolicyLoss(const at::Tensor& log_probs, const at::Tensor& old_log_probs,
                              const at::Tensor& advantages, double clip);

// Returns half the mean squared error of the logits against appraisals / temperature, over the
// allowed actions of each state. All are [rows, actions]; `masks` may be undefined. Only
// differences between the actions of a state count.
at::Tensor AppraisalLoss(const at::Tensor& logits, const at::Tensor& masks,
                         const at::Tensor& appraisals, double temperature);

// Returns half the mean squared error. With clip > 0, the larger of the errors of the value and of
// the value kept within +-clip of the old one counts (PPO2).
at::Tensor ValueLoss(const at::Tensor& values, const at::Tensor& old_values,
                     const at::Tensor& returns, double clip);

// Scales advantages to mean 0 and standard deviation 1 (unbiased, epsilon 1e-8). A single one stays
// as it is.
at::Tensor NormalizedAdvantages(const at::Tensor& advantages);

}  // namespace dray
