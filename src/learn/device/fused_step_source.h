#pragma once

namespace dray {

// FusedStep's kernels, which follow loss_terms.h and kernel_arguments.h in the program's text. Sums
// are taken in a fixed order, so the same input gives the same bits.
inline constexpr char kFusedStepSource[] = R"cuda(
using namespace dray;

__device__ double SumOfWarp(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
  return value;
}
__device__ float MostOfWarp(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value = fmaxf(value, __shfl_xor_sync(~0u, value, offset));
  }
  return value;
}
// Returns the sum to every thread of the block.
__device__ double SumOfBlock(double value) {
  __shared__ double sums[32];
  __shared__ double total;
  value = SumOfWarp(value);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    double sum = threadIdx.x < (blockDim.x + 31) / 32 ? sums[threadIdx.x] : 0;
    sum = SumOfWarp(sum);
    if (threadIdx.x == 0) total = sum;
  }
  __syncthreads();
  return total;
}

template <typename Unit>
__device__ void CopyRow(const char* from, char* to, long long bytes) {
  for (int i = threadIdx.x; i < bytes / (long long)sizeof(Unit); i += blockDim.x) {
    ((Unit*)to)[i] = ((const Unit*)from)[i];
  }
}

// Copies the next rows of the pass; a block per row.
extern "C" __global__ void PickRows(Columns columns, const long long* order,
                                    const long long* next) {
  const long long row = order[*next + blockIdx.x];
  for (int c = 0; c < columns.count; ++c) {
    const long long bytes = columns.all[c].bytes;
    const char* from = columns.all[c].from + row * bytes;
    char* to = columns.all[c].to + (long long)blockIdx.x * bytes;
    if (bytes % 16 == 0) {
      CopyRow<float4>(from, to, bytes);
    } else if (bytes % 4 == 0) {
      CopyRow<float>(from, to, bytes);
    } else {
      CopyRow<char>(from, to, bytes);
    }
  }
}

// One block; computes the moments of a minibatch of at least two rows.
extern "C" __global__ void SumAdvantages(int rows, const float* advantages,
                                         AdvantageMoments* moments) {
  double sum = 0;
  for (int i = threadIdx.x; i < rows; i += blockDim.x) sum += advantages[i];
  const double mean = SumOfBlock(sum) / rows;
  double squares = 0;
  for (int i = threadIdx.x; i < rows; i += blockDim.x) {
    squares += (advantages[i] - mean) * (advantages[i] - mean);
  }
  squares = SumOfBlock(squares);
  if (threadIdx.x > 0) return;
  moments->mean = mean;
  moments->scale = ScaleOf(squares, rows);
}

// Advantages stay as they are without moments.
__device__ double AdvantageOf(int i, const float* advantages, const AdvantageMoments* moments) {
  return moments ? Normalized(advantages[i], *moments) : advantages[i];
}

__device__ void WriteTerms(int rows, int i, const LossTerms& of_row, float* terms) {
  for (int k = 0; k < kLossTerms; ++k) terms[k * rows + i] = of_row.of[k];
}

// A warp per row.
extern "C" __global__ void CategoricalLoss(int rows, int width, const float* logits,
                                           const unsigned char* masks, const long long* actions,
                                           const float* old_log_probs, const float* advantages,
                                           const AdvantageMoments* moments,
                                           const float* appraisals, PolicySettings settings,
                                           float* by_logits, float* terms) {
  const int lane = threadIdx.x % 32, i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= rows) return;
  const float* row = logits + (long long)i * width;
  const unsigned char* mask = masks ? masks + (long long)i * width : nullptr;
  float* out = by_logits + (long long)i * width;
  float top = -3.4e38f;
  for (int j = lane; j < width; j += 32) {
    if (!mask || mask[j]) top = fmaxf(top, row[j]);
  }
  top = MostOfWarp(top);
  double total = 0;
  for (int j = lane; j < width; j += 32) {
    if (!mask || mask[j]) total += expf(row[j] - top);
  }
  total = SumOfWarp(total);
  const float log_total = log(total);
  double entropy = 0;
  for (int j = lane; j < width; j += 32) {
    if (mask && !mask[j]) continue;
    const float log_p = row[j] - top - log_total;
    entropy -= expf(log_p) * (double)log_p;
  }
  entropy = SumOfWarp(entropy);
  const int action = actions[i];
  LossTerms of_row;
  float by_log_prob = 0;
  if (lane == 0) {
    by_log_prob = ClippedSurrogate(row[action] - top - log_total, old_log_probs[i],
                                   AdvantageOf(i, advantages, moments), settings.clip, rows, of_row);
    by_log_prob = settings.policy_coefficient * by_log_prob;
    of_row.of[kEntropy] = entropy;
  }
  by_log_prob = __shfl_sync(~0u, by_log_prob, 0);

  float mean = 0, weight = 0;
  if (appraisals) {
    appraisals += (long long)i * width;
    double sum = 0, allowed = 0;
    for (int j = lane; j < width; j += 32) {
      if (mask && !mask[j]) continue;
      sum += AppraisalError(row[j], appraisals[j], settings.logits_per_reward);
      allowed += 1;
    }
    sum = SumOfWarp(sum);
    allowed = SumOfWarp(allowed);
    mean = sum / allowed;
    weight = settings.appraisal_coefficient / (allowed * rows);
    double squares = 0;
    for (int j = lane; j < width; j += 32) {
      if (mask && !mask[j]) continue;
      squares += AppraisalTerm(
          AppraisalError(row[j], appraisals[j], settings.logits_per_reward) - mean, allowed);
    }
    of_row.of[kAppraisalLoss] = SumOfWarp(squares);
  }
  if (lane == 0) WriteTerms(rows, i, of_row, terms);
  // d log p_a / d logit_j = [j = a] - p_j;  d H / d logit_j = -p_j (log p_j + H)
  const float entropy_weight = settings.entropy_coefficient / rows, h = entropy;
  for (int j = lane; j < width; j += 32) {
    float gradient = 0;
    if (!mask || mask[j]) {
      const float log_p = row[j] - top - log_total, p = expf(log_p);
      gradient = p * (entropy_weight * (log_p + h) - by_log_prob);
      if (j == action) gradient += by_log_prob;
      if (appraisals) {
        gradient +=
            weight * (AppraisalError(row[j], appraisals[j], settings.logits_per_reward) - mean);
      }
    }
    out[j] = gradient;
  }
}

// A thread per row: there are few values.
extern "C" __global__ void GaussianLoss(int rows, int width, const float* means,
                                        const float* log_std, const float* actions,
                                        const float* old_log_probs, const float* advantages,
                                        const AdvantageMoments* moments, PolicySettings settings,
                                        float* by_means, float* log_std_terms, float* terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  const long long start = (long long)i * width;
  means += start;
  actions += start;
  LossTerms of_row;
  const float by_loss = ClippedSurrogate(GaussianLogProb(width, actions, means, log_std),
                                         old_log_probs[i], AdvantageOf(i, advantages, moments),
                                         settings.clip, rows, of_row);
  of_row.of[kEntropy] = GaussianEntropy(width, log_std);
  WriteTerms(rows, i, of_row, terms);
  GaussianGradient(width, actions, means, log_std, settings.policy_coefficient * by_loss,
                   by_means + start, log_std_terms + start);
}

// A block for each term, then one for each value of log_std.
extern "C" __global__ void SumTerms(int rows, const float* terms, double* sums, float* ratio_error,
                                    int width, const float* log_std_terms,
                                    float entropy_coefficient, float* log_std_gradient) {
  const int k = blockIdx.x;
  if (k == kRatioError) {
    __shared__ float most[32];
    float largest = 0;
    for (int i = threadIdx.x; i < rows; i += blockDim.x) {
      // NaN counts as infinite.
      const float error = terms[k * rows + i];
      largest = fmaxf(largest, error == error ? error : 3.4e38f);
    }
    largest = MostOfWarp(largest);
    if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = largest;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int warp = 1; warp < blockDim.x / 32; ++warp) largest = fmaxf(largest, most[warp]);
    *ratio_error = fmaxf(*ratio_error, largest);
    return;
  }
  double sum = 0;
  if (k < kLossTerms) {
    for (int i = threadIdx.x; i < rows; i += blockDim.x) sum += terms[k * rows + i];
  } else {
    for (int i = threadIdx.x; i < rows; i += blockDim.x) {
      sum += log_std_terms[(long long)i * width + k - kLossTerms];
    }
  }
  sum = SumOfBlock(sum);
  if (threadIdx.x > 0) return;
  if (k < kLossTerms) {
    sums[k] += sum / rows;
  } else {
    log_std_gradient[k - kLossTerms] = sum - entropy_coefficient;
  }
}

// One block; writes the mean loss. clip <= 0: the value is not clipped.
extern "C" __global__ void ValueLoss(int rows, const float* values, const float* old_values,
                                     const float* returns, float clip, float scale,
                                     float* by_values, double* loss) {
  double sum = 0;
  for (int i = threadIdx.x; i < rows; i += blockDim.x) {
    const ValueError worst = ErrorOfValue(values[i], old_values[i], returns[i], clip > 0, clip);
    sum += 0.5 * worst.error * worst.error;
    by_values[i] = worst.flat ? 0 : scale * worst.error / rows;
  }
  sum = SumOfBlock(sum);
  if (threadIdx.x == 0) *loss = sum / rows;
}

// Sums squared gradients for the norm, a part per block. Also counts the optimiser's step.
extern "C" __global__ void SumSquares(long long count, const float* gradients, double* partial,
                                      float* step) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *step += 1;
  double sum = 0;
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    sum += (double)gradients[i] * gradients[i];
  }
  sum = SumOfBlock(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// Clips by the norm, whose squares are in `partial`; gradients that are not finite change nothing.
// Also adds norm and value loss (null: none) to the sums, and moves the pass on by `rows`.
extern "C" __global__ void AdamStep(long long count, const float* gradients, float* parameters,
                                    float* first, float* second, const double* partial,
                                    int partials, float max_norm, const float* learning_rate,
                                    const float* step, double beta1, double beta2, double epsilon,
                                    const double* value_loss, double* sums, long long* next,
                                    long long rows) {
  const double norm = sqrt(SumOfBlock(threadIdx.x < partials ? partial[threadIdx.x] : 0));
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    sums[kGradNormSum] += norm;
    if (value_loss) sums[kValueLossSum] += *value_loss;
    *next += rows;
  }
  if (!isfinite(norm)) return;
  __shared__ float rate, second_scale;
  if (threadIdx.x == 0) {
    rate = *learning_rate / (1 - pow(beta1, (double)*step));
    second_scale = 1 / sqrt(1 - pow(beta2, (double)*step));
  }
  __syncthreads();
  const float scale = max_norm > 0 && norm > max_norm ? max_norm / (norm + 1e-6) : 1;
  const float keep1 = beta1, take1 = 1 - beta1, keep2 = beta2, take2 = 1 - beta2, eps = epsilon;
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const float gradient = gradients[i] * scale;
    const float m = keep1 * first[i] + take1 * gradient;
    const float v = keep2 * second[i] + take2 * gradient * gradient;
    first[i] = m;
    second[i] = v;
    parameters[i] -= rate * m / (sqrtf(v) * second_scale + eps);
  }
}
)cuda";

}  // namespace dray
