#pragma once

#include <cstdint>
#include <span>

#include "src/learn/gradients.h"
#include "src/nets/range.h"

namespace dray {

// The losses of ppo_loss.h with their gradients worked out by hand, on plain memory: one pass over
// the rows instead of fifty small tensor operations. Arguments are those of the whole minibatch;
// each call works on some of its rows, and writes down what each of them adds to the means, so that
// sums are taken in the rows' order whoever worked on them.

// What the policy's loss needs of each row, beside the network's outputs.
struct PolicyRows {
  std::span<const float> old_log_probs;
  std::span<const float> advantages;  // as they enter the loss: normalised already
};

// Discrete actions. `masks` is [rows, actions], not 0 = allowed, or empty. Writes the gradient of
// (policy_coefficient * policy loss - entropy_coefficient * entropy) by the logits [rows, actions].
void CategoricalLoss(Range range, std::span<const float> logits, std::span<const bool> masks,
                     std::span<const int64_t> actions, const PolicyRows& rows,
                     const LossSettings& settings, std::span<float> gradient,
                     std::span<PolicyStats> terms);

// Adds the gradient of appraisal_coefficient * AppraisalLoss (ppo_loss.h) by the logits.
void CpuAppraisalLoss(Range range, std::span<const float> logits, std::span<const bool> masks,
                      std::span<const float> appraisals, const LossSettings& settings,
                      std::span<float> gradient, std::span<PolicyStats> terms);

// Continuous actions [rows, values]: gradients by the means and, for each row, what it adds to that
// by log_std [rows, values].
void GaussianLoss(Range range, std::span<const float> means, std::span<const float> log_std,
                  std::span<const float> actions, const PolicyRows& rows,
                  const LossSettings& settings, std::span<float> gradient,
                  std::span<float> log_std_terms, std::span<PolicyStats> terms);

// Writes the gradient of scale * loss by the values, and each row's loss.
void CpuValueLoss(Range range, std::span<const float> values, std::span<const float> old_values,
                  std::span<const float> returns, const LossSettings& settings, double scale,
                  std::span<float> gradient, std::span<double> losses);

// Of all rows; of ratio_error the largest.
PolicyStats MeanOf(std::span<const PolicyStats> terms);

// Mean 0, standard deviation 1 (unbiased, epsilon 1e-8); a single value stays as it is.
void NormalizeAdvantages(std::span<const float> advantages, std::span<float> normalized);

}  // namespace dray
