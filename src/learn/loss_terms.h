// PPO's loss of one sample, for the CPU and for CUDA alike: cpu_loss.cc includes this file, and
// fused_step.cc puts its text before its kernels. Hence plain C++17 without the standard library.
// torch_loss.h states the same losses as tensor operations; tests compare the two.
#ifdef __CUDACC_RTC__
#define DRAY_SHARED __device__ inline
#else
#pragma once
#include <cmath>
#define DRAY_SHARED inline
#endif

namespace dray {

// Numbers measured for every sample. A minibatch has the mean of each, and of the last the largest.
enum LossTerm {
  kPolicyLoss,     // -min(A r, A clip(r)), where r is the ratio of new to old probability
  kEntropy,        // nats
  kKlK1,           // -log r: unbiased estimate of KL(old || new)
  kKlK3,           // (r - 1) - log r: also unbiased, never negative
  kClipFraction,   // 1 if the ratio left the clip range, else 0
  kAppraisalLoss,  // half the mean squared error of the logits against the appraisals
  kRatioError,     // |r - 1|
  kLossTerms
};
constexpr int kMeanTerms = kRatioError;
static_assert(kLossTerms == kMeanTerms + 1, "the ratio error is the only term with a maximum");

#ifndef __CUDACC_RTC__
// The metric that reports the mean of each term (metrics/table.cc).
constexpr const char* kTermMetrics[] = {"train/policy_loss",   "train/entropy",
                                        "train/kl_k1",         "train/kl_k3",
                                        "train/clip_fraction", "train/appraisal_loss"};
static_assert(sizeof(kTermMetrics) / sizeof(kTermMetrics[0]) == kMeanTerms, "one for each mean");
#endif

// Sums over the minibatches of a pass, as a device keeps them: first the terms that have a mean.
enum StepSum { kValueLossSum = kMeanTerms, kGradNormSum, kStepSums };
static_assert(kStepSums == kMeanTerms + 2, "a sum for each mean, value loss and gradient norm");

struct LossTerms {
  double of[kLossTerms] = {};
};
static_assert(sizeof(LossTerms) == kLossTerms * sizeof(double), "terms are stored without gaps");

template <typename Number>
DRAY_SHARED Number Clamped(Number value, Number low, Number high) {
  return value < low ? low : high < value ? high : value;
}

// Computes the clipped surrogate of a sample: sets every term but entropy and appraisal loss, and
// returns the gradient of the mean over `rows` samples with respect to the log-probability. The
// ratio's derivative is the ratio itself; the clipped branch is flat.
DRAY_SHARED double ClippedSurrogate(double log_prob, double old_log_prob, double advantage,
                                    double clip, double rows, LossTerms& terms) {
  const double log_ratio = log_prob - old_log_prob;
  const double ratio = exp(log_ratio);
  const double whole = advantage * ratio;
  const double clipped = advantage * Clamped(ratio, 1 - clip, 1 + clip);
  const double distance = fabs(ratio - 1);
  terms.of[kPolicyLoss] = -(clipped < whole ? clipped : whole);
  terms.of[kKlK1] = -log_ratio;
  terms.of[kKlK3] = ratio - 1 - log_ratio;
  terms.of[kClipFraction] = distance > clip ? 1 : 0;
  terms.of[kRatioError] = distance;
  // The comparison is false for NaN, so that the gradient is NaN, too, and the update is stopped.
  return whole > clipped ? 0 : -advantage * ratio / rows;
}

// Mean and reciprocal standard deviation of a minibatch's advantages.
struct AdvantageMoments {
  double mean = 0;
  double scale = 1;
};
static_assert(sizeof(AdvantageMoments) == 2 * sizeof(double), "kernels pass it through memory");

// Returns 1 / standard deviation (unbiased, epsilon 1e-8) of `count` > 1 numbers, given the sum of
// their squared distances from the mean.
DRAY_SHARED double ScaleOf(double squares, double count) {
  return 1 / (sqrt(squares / (count - 1)) + 1e-8);
}

DRAY_SHARED double Normalized(float advantage, const AdvantageMoments& moments) {
  return (advantage - moments.mean) * moments.scale;
}

// The error of a value against its target that counts in the loss: 0.5 * error^2.
struct ValueError {
  float error;
  bool flat;  // the clipped value counts, which does not move with the value
};

// Returns the larger of the errors of the value and, if `clips`, of the value kept within +-clip of
// the old one (PPO2).
DRAY_SHARED ValueError ErrorOfValue(float value, float old_value, float target, bool clips,
                                    float clip) {
  const float error = value - target;
  if (!clips) return {error, false};
  const float change = value - old_value;
  const float clipped = old_value + Clamped(change, -clip, clip) - target;
  if (!(clipped * clipped > error * error)) return {error, false};
  return {clipped, fabs(change) > clip};
}

// Returns how far a logit is from its appraisal; only differences between the actions of a state
// count.
DRAY_SHARED float AppraisalError(float logit, float appraisal, float logits_per_reward) {
  return logit - appraisal * logits_per_reward;
}

// Returns the share of an action in its state's appraisal loss. `error` is centred: the mean over
// the state's `allowed` actions is subtracted.
DRAY_SHARED double AppraisalTerm(float error, double allowed) {
  return 0.5 * error * error / allowed;
}

// --- Continuous actions: independent normal distributions

constexpr double kHalfLogTwoPi = 0.91893853320467267;

// Returns the distance of an action from its mean, in standard deviations.
DRAY_SHARED double Deviations(float action, float mean, float log_std) {
  return (action - mean) / exp(double{log_std});
}

DRAY_SHARED double GaussianLogProb(int width, const float* actions, const float* means,
                                   const float* log_std) {
  double log_prob = 0;
  for (int j = 0; j < width; ++j) {
    const double z = Deviations(actions[j], means[j], log_std[j]);
    log_prob += -0.5 * z * z - log_std[j] - kHalfLogTwoPi;
  }
  return log_prob;
}

DRAY_SHARED double GaussianEntropy(int width, const float* log_std) {
  double entropy = 0;
  for (int j = 0; j < width; ++j) entropy += log_std[j] + kHalfLogTwoPi + 0.5;
  return entropy;
}

// Writes gradients with respect to means and log_std, given that with respect to the
// log-probability.
DRAY_SHARED void GaussianGradient(int width, const float* actions, const float* means,
                                  const float* log_std, double by_log_prob, float* by_means,
                                  float* by_log_std) {
  for (int j = 0; j < width; ++j) {
    const double z = Deviations(actions[j], means[j], log_std[j]);
    by_means[j] = by_log_prob * z / exp(double{log_std[j]});
    by_log_std[j] = by_log_prob * (z * z - 1);
  }
}

}  // namespace dray

#undef DRAY_SHARED
