#include "src/learn/cpu_loss.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "src/nets/kernels.h"

namespace dray {
namespace {

// One row of the clipped surrogate; returns the gradient of the mean loss by its log-probability:
// the ratio's derivative is the ratio itself, and the clipped branch, where it is the smaller one,
// is flat.
double Surrogate(double log_prob, double old_log_prob, double advantage, double clip, size_t rows,
                 PolicyStats& term) {
  const double log_ratio = log_prob - old_log_prob;
  const double ratio = std::exp(log_ratio);
  const double clipped = std::clamp(ratio, 1 - clip, 1 + clip);
  term.loss = -std::min(advantage * ratio, advantage * clipped);
  term.kl_k1 = -log_ratio;
  term.kl_k3 = ratio - 1 - log_ratio;
  term.clip_fraction = std::abs(ratio - 1) > clip;
  term.ratio_error = std::abs(ratio - 1);
  // Written so that what is not a number stays so, and is seen.
  return advantage * ratio > advantage * clipped ? 0
                                                 : -advantage * ratio / static_cast<double>(rows);
}

size_t End(Range range) { return static_cast<size_t>(range.first + range.count); }

}  // namespace

void CategoricalLoss(Range range, std::span<const float> logits, std::span<const bool> masks,
                     std::span<const int64_t> actions, const PolicyRows& rows,
                     const LossSettings& settings, std::span<float> gradient,
                     std::span<PolicyStats> terms) {
  const size_t count = actions.size(), width = logits.size() / count;
  const float entropy_weight =
      static_cast<float>(settings.entropy_coefficient / static_cast<double>(count));
  for (size_t i = range.first; i < End(range); ++i) {
    const auto row = logits.subspan(i * width, width);
    const auto mask = masks.empty() ? masks : masks.subspan(i * width, width);
    const auto out = gradient.subspan(i * width, width);
    // The probabilities stand in `out` until the gradient takes their place.
    const Categorical policy = CategoricalRow(row, mask, out);
    const size_t action = actions[i];
    const float by_log_prob =
        settings.policy_coefficient * Surrogate(row[action] - policy.top - policy.log_total,
                                                rows.old_log_probs[i], rows.advantages[i],
                                                settings.clip, count, terms[i]);
    terms[i].entropy = policy.entropy;
    // d log p_a / d logit_j = [j = a] - p_j;  d H / d logit_j = -p_j (log p_j + H)
    CategoricalGradientRow(row, policy, entropy_weight, by_log_prob, out);
    out[action] += by_log_prob;
  }
}

void CpuAppraisalLoss(Range range, std::span<const float> logits, std::span<const bool> masks,
                      std::span<const float> appraisals, const LossSettings& settings,
                      std::span<float> gradient, std::span<PolicyStats> terms) {
  const size_t width = logits.size() / terms.size();
  const float per_degree = 1 / settings.appraisal_temperature;
  std::vector<float> errors(width);
  for (size_t i = range.first; i < End(range); ++i) {
    const size_t start = i * width;
    float mean = 0, allowed = 0;
    for (size_t a = 0; a < width; ++a) {
      if (!masks.empty() && !masks[start + a]) continue;
      errors[a] = logits[start + a] - appraisals[start + a] * per_degree;
      mean += errors[a];
      ++allowed;
    }
    mean /= allowed;
    const float weight =
        settings.appraisal_coefficient / (allowed * static_cast<double>(terms.size()));
    double sum = 0;
    for (size_t a = 0; a < width; ++a) {
      if (!masks.empty() && !masks[start + a]) continue;
      const float error = errors[a] - mean;
      sum += 0.5 * error * error / allowed;
      gradient[start + a] += weight * error;
    }
    terms[i].appraisal_loss = sum;
  }
}

void GaussianLoss(Range range, std::span<const float> means, std::span<const float> log_std,
                  std::span<const float> actions, const PolicyRows& rows,
                  const LossSettings& settings, std::span<float> gradient,
                  std::span<float> log_std_terms, std::span<PolicyStats> terms) {
  static const double kHalfLogTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);
  const size_t width = log_std.size(), count = means.size() / width;
  double entropy = 0;
  for (const float value : log_std) entropy += value + kHalfLogTwoPi + 0.5;
  for (size_t i = range.first; i < End(range); ++i) {
    const auto z = [&](size_t j) {
      return (actions[i * width + j] - means[i * width + j]) / std::exp(double{log_std[j]});
    };
    double log_prob = 0;
    for (size_t j = 0; j < width; ++j) log_prob += -0.5 * z(j) * z(j) - log_std[j] - kHalfLogTwoPi;
    const double by_log_prob =
        settings.policy_coefficient * Surrogate(log_prob, rows.old_log_probs[i], rows.advantages[i],
                                                settings.clip, count, terms[i]);
    terms[i].entropy = entropy;
    for (size_t j = 0; j < width; ++j) {
      gradient[i * width + j] =
          static_cast<float>(by_log_prob * z(j) / std::exp(double{log_std[j]}));
      log_std_terms[i * width + j] = static_cast<float>(by_log_prob * (z(j) * z(j) - 1));
    }
  }
}

void CpuValueLoss(Range range, std::span<const float> values, std::span<const float> old_values,
                  std::span<const float> returns, const LossSettings& settings, double scale,
                  std::span<float> gradient, std::span<double> losses) {
  const double rows = values.size();
  const float clip = settings.clip;
  for (size_t i = range.first; i < End(range); ++i) {
    const float error = values[i] - returns[i];
    float worst = error;
    bool flat = false;  // the clipped value does not move with the value
    if (settings.clip_value) {
      const float change = values[i] - old_values[i];
      const float clipped_error = old_values[i] + std::clamp(change, -clip, clip) - returns[i];
      if (clipped_error * clipped_error > error * error) {
        worst = clipped_error;
        flat = std::abs(change) > clip;
      }
    }
    losses[i] = 0.5 * worst * worst;
    gradient[i] = flat ? 0 : static_cast<float>(scale * worst / rows);
  }
}

PolicyStats MeanOf(std::span<const PolicyStats> terms) {
  PolicyStats means;
  for (const PolicyStats& term : terms) means += term;
  for (double* sum : {&means.loss, &means.entropy, &means.kl_k1, &means.kl_k3, &means.clip_fraction,
                      &means.appraisal_loss}) {
    *sum /= static_cast<double>(terms.size());
  }
  return means;
}

void NormalizeAdvantages(std::span<const float> advantages, std::span<float> normalized) {
  if (advantages.size() <= 1) {
    std::ranges::copy(advantages, normalized.begin());
    return;
  }
  const double count = advantages.size();
  double mean = 0, squares = 0;
  for (const float a : advantages) mean += a;
  mean /= count;
  for (const float a : advantages) squares += (a - mean) * (a - mean);
  const double scale = 1 / (std::sqrt(squares / (count - 1)) + 1e-8);
  for (size_t i = 0; i < advantages.size(); ++i) {
    normalized[i] = static_cast<float>((advantages[i] - mean) * scale);
  }
}

}  // namespace dray
