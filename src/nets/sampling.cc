#include "src/nets/sampling.h"

#include <cmath>
#include <numbers>

#include "src/base/error.h"

namespace dray {
namespace {

bool Allowed(std::span<const uint8_t> mask, size_t i) { return mask.empty() || mask[i] != 0; }

}  // namespace

int32_t BestAction(std::span<const float> logits, std::span<const uint8_t> mask) {
  int32_t best = -1;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (Allowed(mask, i) && (best < 0 || logits[i] > logits[best])) best = i;
  }
  DRAY_CHECK_GE(best, 0);
  return best;
}

Draw DrawCategorical(std::span<const float> logits, std::span<const uint8_t> mask, Rng& rng) {
  const float top = logits[BestAction(logits, mask)];
  float total = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (Allowed(mask, i)) total += std::exp(logits[i] - top);
  }
  const float target = static_cast<float>(rng.Uniform()) * total;
  float below = 0;
  int32_t chosen = -1;
  for (size_t i = 0; i < logits.size(); ++i) {
    const float p = Allowed(mask, i) ? std::exp(logits[i] - top) : 0;
    // If rounding leaves the target at the very end, the last possible action is chosen.
    if (p > 0) chosen = i;
    below += p;
    if (target < below) break;
  }
  if (chosen < 0) {
    throw Failure("the policy's outputs are not finite: it has diverged; lower ppo.learning_rate");
  }
  return {chosen, logits[chosen] - top - std::log(total)};
}

float DrawGaussian(std::span<const float> means, std::span<const float> log_stds, Rng& rng,
                   std::span<float> values) {
  static const double kHalfLogTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);
  double log_prob = 0;
  for (size_t i = 0; i < means.size(); ++i) {
    values[i] = means[i] + std::exp(log_stds[i]) * rng.Normal();
    // Computed from the stored value, so that the learner gets the same number.
    const double z = (values[i] - means[i]) / std::exp(log_stds[i]);
    log_prob += -0.5 * z * z - log_stds[i] - kHalfLogTwoPi;
  }
  return log_prob;
}

}  // namespace dray
