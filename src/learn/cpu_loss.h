#pragma once

#include <cstdint>
#include <span>

#include "src/learn/gradients.h"

namespace dray {

// The losses of ppo_loss.h with their gradients worked out by hand, on plain memory: one pass over
// the rows instead of fifty small tensor operations.

// What the policy's loss needs of each row, beside the network's outputs.
struct PolicyRows {
  std::span<const float> old_log_probs;
  std::span<const float> advantages;  // as they enter the loss: normalised already
};

// Discrete actions. `masks` is [rows, actions], not 0 = allowed, or empty. Writes the gradient of
// (policy_coefficient * policy loss - entropy_coefficient * entropy) by the logits [rows, actions].
PolicyStats CategoricalLoss(std::span<const float> logits, std::span<const bool> masks,
                            std::span<const int64_t> actions, const PolicyRows& rows,
                            const LossSettings& settings, std::span<float> gradient);

// Adds the gradient of appraisal_coefficient * AppraisalLoss (ppo_loss.h) by the logits; returns
// the loss.
double CpuAppraisalLoss(std::span<const float> logits, std::span<const bool> masks,
                        std::span<const float> appraisals, int64_t rows,
                        const LossSettings& settings, std::span<float> gradient);

// Continuous actions [rows, values]: gradients by the means [rows, values] and by log_std [values].
PolicyStats GaussianLoss(std::span<const float> means, std::span<const float> log_std,
                         std::span<const float> actions, const PolicyRows& rows,
                         const LossSettings& settings, std::span<float> gradient,
                         std::span<float> log_std_gradient);

// Writes the gradient of scale * loss by the values; returns the loss.
double CpuValueLoss(std::span<const float> values, std::span<const float> old_values,
                    std::span<const float> returns, const LossSettings& settings, double scale,
                    std::span<float> gradient);

// Mean 0, standard deviation 1 (unbiased, epsilon 1e-8); a single value stays as it is.
void NormalizeAdvantages(std::span<const float> advantages, std::span<float> normalized);

}  // namespace dray
