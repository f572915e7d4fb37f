#pragma once

#include <cstdint>
#include <span>

#include "src/learn/gradients.h"
#include "src/nets/range.h"

namespace dray {

// The losses of loss_terms.h over the rows of a minibatch, with their gradients, on plain memory.
// Arguments describe the whole minibatch. Each call works on a range of its rows and writes the
// terms of each row, so that sums are taken in the order of rows, whichever thread computed them.

// Data of each row, beside the network's outputs.
struct PolicyRows {
  std::span<const float> old_log_probs;
  std::span<const float> advantages;  // normalised, if the settings ask for it
};

// Discrete actions. `masks` is [rows, actions], true = allowed, or empty. Writes the gradient of
// policy_coefficient * policy loss - entropy_coefficient * entropy with respect to the logits
// [rows, actions].
void CategoricalLoss(Range range, std::span<const float> logits, std::span<const bool> masks,
                     std::span<const int64_t> actions, const PolicyRows& rows,
                     const LossSettings& settings, std::span<float> gradient,
                     std::span<LossTerms> terms);

// Adds the gradient of appraisal_coefficient * appraisal loss with respect to the logits.
void AppraisalLoss(Range range, std::span<const float> logits, std::span<const bool> masks,
                   std::span<const float> appraisals, const LossSettings& settings,
                   std::span<float> gradient, std::span<LossTerms> terms);

// Continuous actions [rows, values]. Writes gradients with respect to the means, and what each row
// adds to the gradient with respect to log_std [rows, values].
void GaussianLoss(Range range, std::span<const float> means, std::span<const float> log_std,
                  std::span<const float> actions, const PolicyRows& rows,
                  const LossSettings& settings, std::span<float> gradient,
                  std::span<float> log_std_terms, std::span<LossTerms> terms);

// Writes the gradient of scale * loss with respect to the values, and the loss of each row.
void ValueLoss(Range range, std::span<const float> values, std::span<const float> old_values,
               std::span<const float> returns, const LossSettings& settings, double scale,
               std::span<float> gradient, std::span<double> losses);

// Returns the mean of each term over all rows, and the largest ratio error.
LossTerms MeanOf(std::span<const LossTerms> terms);

// Scales advantages to mean 0 and standard deviation 1 (unbiased, epsilon 1e-8); a single one stays
// as it is.
void NormalizeAdvantages(std::span<const float> advantages, std::span<float> normalized);

}  // namespace dray
