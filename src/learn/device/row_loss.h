// Sums over threads, and the losses of one row, computed by some neighbouring threads of a warp.
// This file is part of the kernels' source; a test includes it to run the kernels without a GPU.
#ifndef __CUDACC_RTC__
#pragma once
#include "src/learn/device/kernel_arguments.h"
#endif

namespace dray {

// Sum over groups of `lanes` neighbouring threads, which all get it.
template <typename Number>
__device__ Number SumOfLanes(Number value, int lanes) {
  for (int offset = lanes / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(~0u, value, offset);
  }
  return value;
}
__device__ inline float MostOfLanes(float value, int lanes) {
  for (int offset = lanes / 2; offset > 0; offset /= 2) {
    value = fmaxf(value, __shfl_xor_sync(~0u, value, offset));
  }
  return value;
}

// Returns the sum to every thread of the block.
__device__ inline double SumOfBlock(double value) {
  __shared__ double sums[32];
  __shared__ double total;
  value = SumOfLanes(value, 32);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    const double sum = SumOfLanes(threadIdx.x < (blockDim.x + 31) / 32 ? sums[threadIdx.x] : 0, 32);
    if (threadIdx.x == 0) total = sum;
  }
  __syncthreads();
  return total;
}

// A row's values, which need not be neighbours.
struct Strided {
  float* at;
  int stride;
  __device__ float& operator[](int i) const { return at[i * stride]; }
};

__device__ inline double AdvantageOf(long long row, Place place, const PolicyData& data) {
  if (!data.moments) return data.advantages[row];
  return Normalized(data.advantages[row], data.moments[*place.next / place.minibatch]);
}

// Computes the loss of row `row` of the data and its gradient with respect to the logits. All
// threads of the warp must call it; of each group of `lanes`, thread 0 gets the terms.
__device__ inline void CategoricalRow(long long row, Place place, const PolicyData& data,
                                      const PolicySettings& settings, int width, Strided logits,
                                      int lane, int lanes, Strided by_logits, LossTerms& terms) {
  const unsigned char* mask = data.masks ? data.masks + row * width : nullptr;
  float top = -3.4e38f;
  for (int j = lane; j < width; j += lanes) {
    if (!mask || mask[j]) top = fmaxf(top, logits[j]);
  }
  top = MostOfLanes(top, lanes);
  double total = 0;
  for (int j = lane; j < width; j += lanes) {
    if (!mask || mask[j]) total += expf(logits[j] - top);
  }
  total = SumOfLanes(total, lanes);
  const float log_total = log(total);
  double entropy = 0;
  for (int j = lane; j < width; j += lanes) {
    if (mask && !mask[j]) continue;
    const float log_p = logits[j] - top - log_total;
    entropy -= expf(log_p) * (double)log_p;
  }
  entropy = SumOfLanes(entropy, lanes);
  const int action = data.actions[row];
  float by_log_prob = 0;
  if (lane == 0) {
    by_log_prob = ClippedSurrogate(logits[action] - top - log_total, data.old_log_probs[row],
                                   AdvantageOf(row, place, data), settings.clip, place.rows, terms);
    by_log_prob = settings.policy_coefficient * by_log_prob;
    terms.of[kEntropy] = entropy;
  }
  by_log_prob = SumOfLanes(by_log_prob, lanes);  // the others have 0

  const float* appraisals = data.appraisals ? data.appraisals + row * width : nullptr;
  float mean = 0, weight = 0;
  if (appraisals) {
    double sum = 0, allowed = 0;
    for (int j = lane; j < width; j += lanes) {
      if (mask && !mask[j]) continue;
      sum += AppraisalError(logits[j], appraisals[j], settings.logits_per_reward);
      allowed += 1;
    }
    sum = SumOfLanes(sum, lanes);
    allowed = SumOfLanes(allowed, lanes);
    mean = sum / allowed;
    weight = settings.appraisal_coefficient / (allowed * place.rows);
    double squares = 0;
    for (int j = lane; j < width; j += lanes) {
      if (mask && !mask[j]) continue;
      squares += AppraisalTerm(
          AppraisalError(logits[j], appraisals[j], settings.logits_per_reward) - mean, allowed);
    }
    terms.of[kAppraisalLoss] = SumOfLanes(squares, lanes);
  }
  // d log p_a / d logit_j = [j = a] - p_j;  d H / d logit_j = -p_j (log p_j + H)
  const float entropy_weight = settings.entropy_coefficient / place.rows, h = entropy;
  for (int j = lane; j < width; j += lanes) {
    float gradient = 0;
    if (!mask || mask[j]) {
      const float log_p = logits[j] - top - log_total, p = expf(log_p);
      gradient = p * (entropy_weight * (log_p + h) - by_log_prob);
      if (j == action) gradient += by_log_prob;
      if (appraisals) {
        gradient +=
            weight * (AppraisalError(logits[j], appraisals[j], settings.logits_per_reward) - mean);
      }
    }
    by_logits[j] = gradient;
  }
}

// The same for continuous actions, by one thread. Writes what the row adds to log_std's gradient.
__device__ inline void GaussianRow(long long row, Place place, const PolicyData& data,
                                   const PolicySettings& settings, int width, Strided means,
                                   Strided by_means, Strided by_log_std, LossTerms& terms) {
  const float* actions = data.action_values + row * width;
  double log_prob = 0;
  for (int j = 0; j < width; ++j) {
    log_prob += GaussianLogProb(1, actions + j, &means[j], data.log_std + j);
  }
  const float by_loss =
      ClippedSurrogate(log_prob, data.old_log_probs[row], AdvantageOf(row, place, data),
                       settings.clip, place.rows, terms);
  terms.of[kEntropy] = GaussianEntropy(width, data.log_std);
  for (int j = 0; j < width; ++j) {
    GaussianGradient(1, actions + j, &means[j], data.log_std + j,
                     settings.policy_coefficient * by_loss, &by_means[j], &by_log_std[j]);
  }
}

// A row's share of the value loss; returns its gradient with respect to the value.
__device__ inline float ValueRow(long long row, Place place, const ValueData& data, float value,
                                 double& loss) {
  const ValueError worst =
      ErrorOfValue(value, data.old_values[row], data.returns[row], data.clip > 0, data.clip);
  loss = 0.5 * worst.error * worst.error;
  return worst.flat ? 0 : data.scale * worst.error / place.rows;
}

}  // namespace dray
