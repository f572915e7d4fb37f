#include "src/learn/cpu/cpu_loss.h"

#include <algorithm>
#include <vector>

#include "src/nets/kernels.h"

namespace dray {
namespace {

size_t End(Range range) { return range.first + range.count; }

}  // namespace

void CategoricalLoss(Range range, std::span<const float> logits, std::span<const bool> masks,
                     std::span<const int64_t> actions, const PolicyRows& rows,
                     const LossSettings& settings, std::span<float> gradient,
                     std::span<LossTerms> terms) {
  const size_t width = logits.size() / actions.size();
  const double count = actions.size();
  const float entropy_weight = settings.entropy_coefficient / count;
  for (size_t i = range.first; i < End(range); ++i) {
    const auto row = logits.subspan(i * width, width);
    const auto mask = masks.empty() ? masks : masks.subspan(i * width, width);
    const auto out = gradient.subspan(i * width, width);
    // The probabilities stand in `out` until the gradient takes their place.
    const Categorical policy = CategoricalRow(row, mask, out);
    const size_t action = actions[i];
    const float by_log_prob =
        settings.policy_coefficient * ClippedSurrogate(row[action] - policy.top - policy.log_total,
                                                       rows.old_log_probs[i], rows.advantages[i],
                                                       settings.clip, count, terms[i]);
    terms[i].of[kEntropy] = policy.entropy;
    // d log p_a / d logit_j = [j = a] - p_j;  d H / d logit_j = -p_j (log p_j + H)
    CategoricalGradientRow(row, policy, entropy_weight, by_log_prob, out);
    out[action] += by_log_prob;
  }
}

void AppraisalLoss(Range range, std::span<const float> logits, std::span<const bool> masks,
                   std::span<const float> appraisals, const LossSettings& settings,
                   std::span<float> gradient, std::span<LossTerms> terms) {
  const size_t width = logits.size() / terms.size();
  const double count = terms.size();
  const float logits_per_reward = 1 / settings.appraisal_temperature;
  std::vector<float> errors(width);
  for (size_t i = range.first; i < End(range); ++i) {
    const size_t start = i * width;
    float mean = 0, allowed = 0;
    for (size_t a = 0; a < width; ++a) {
      if (!masks.empty() && !masks[start + a]) continue;
      errors[a] = AppraisalError(logits[start + a], appraisals[start + a], logits_per_reward);
      mean += errors[a];
      ++allowed;
    }
    mean /= allowed;
    const float weight = settings.appraisal_coefficient / (allowed * count);
    double sum = 0;
    for (size_t a = 0; a < width; ++a) {
      if (!masks.empty() && !masks[start + a]) continue;
      const float error = errors[a] - mean;
      sum += AppraisalTerm(error, allowed);
      gradient[start + a] += weight * error;
    }
    terms[i].of[kAppraisalLoss] = sum;
  }
}

void GaussianLoss(Range range, std::span<const float> means, std::span<const float> log_std,
                  std::span<const float> actions, const PolicyRows& rows,
                  const LossSettings& settings, std::span<float> gradient,
                  std::span<float> log_std_terms, std::span<LossTerms> terms) {
  const int width = log_std.size();
  const double count = means.size() / log_std.size();
  const double entropy = GaussianEntropy(width, log_std.data());
  for (size_t i = range.first; i < End(range); ++i) {
    const size_t start = i * log_std.size();
    const float *action = &actions[start], *mean = &means[start];
    const double log_prob = GaussianLogProb(width, action, mean, log_std.data());
    const double by_log_prob = settings.policy_coefficient *
                               ClippedSurrogate(log_prob, rows.old_log_probs[i], rows.advantages[i],
                                                settings.clip, count, terms[i]);
    terms[i].of[kEntropy] = entropy;
    GaussianGradient(width, action, mean, log_std.data(), by_log_prob, &gradient[start],
                     &log_std_terms[start]);
  }
}

void ValueLoss(Range range, std::span<const float> values, std::span<const float> old_values,
               std::span<const float> returns, const LossSettings& settings, double scale,
               std::span<float> gradient, std::span<double> losses) {
  const double rows = values.size();
  for (size_t i = range.first; i < End(range); ++i) {
    const auto [error, flat] =
        ErrorOfValue(values[i], old_values[i], returns[i], settings.clip_value, settings.clip);
    losses[i] = 0.5 * error * error;
    gradient[i] = flat ? 0 : scale * error / rows;
  }
}

LossTerms MeanOf(std::span<const LossTerms> terms) {
  LossTerms means;
  for (const LossTerms& term : terms) means += term;
  const double count = terms.size();
  for (int i = 0; i < kMeanTerms; ++i) means.of[i] /= count;
  return means;
}

void NormalizeAdvantages(std::span<const float> advantages, std::span<float> normalized) {
  if (advantages.size() <= 1) {
    std::ranges::copy(advantages, normalized.begin());
    return;
  }
  const double count = advantages.size();
  AdvantageMoments moments;
  for (const float a : advantages) moments.mean += a;
  moments.mean /= count;
  double squares = 0;
  for (const float a : advantages) squares += (a - moments.mean) * (a - moments.mean);
  moments.scale = ScaleOf(squares, count);
  for (size_t i = 0; i < advantages.size(); ++i) {
    normalized[i] = Normalized(advantages[i], moments);
  }
}

}  // namespace dray
