#pragma once

namespace dray {

// FusedStep's kernels. Sums are taken in a fixed order: the same input gives the same bits.
inline constexpr char kFusedStepSource[] = R"cuda(
struct Column {
  const char* from;
  char* to;
  long long bytes;  // of a row
};
struct Columns {
  Column all[8];
  int count;
};
struct PolicySettings {
  float clip;
  float policy_coefficient;
  float entropy_coefficient;
  float appraisal_coefficient;
  float appraisal_temperature;
  int normalize_advantages;
};

constexpr int kTerms = 7;  // loss, entropy, kl_k1, kl_k3, clip fraction, appraisal loss, ratio error
constexpr int kRatioError = 6, kValueLoss = 6, kGradNorm = 7;  // in terms; in sums; in sums

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
// For every thread of the block.
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

// A block per row.
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

// One row of the clipped surrogate: writes what it adds to the means, and returns the gradient of
// the mean loss by its log-probability.
__device__ float Surrogate(double log_prob, double old_log_prob, double advantage, float clip,
                           int rows, int i, float* terms) {
  const double log_ratio = log_prob - old_log_prob;
  const double ratio = exp(log_ratio);
  const double clipped = fmin(fmax(ratio, 1.0 - clip), 1.0 + clip);
  const double distance = fabs(ratio - 1);
  terms[0 * rows + i] = -fmin(advantage * ratio, advantage * clipped);
  terms[2 * rows + i] = -log_ratio;
  terms[3 * rows + i] = ratio - 1 - log_ratio;
  terms[4 * rows + i] = distance > clip;
  terms[kRatioError * rows + i] = distance;
  // Written so that what is not a number stays so, and is seen.
  return advantage * ratio > advantage * clipped ? 0 : -advantage * ratio / rows;
}

// As every warp works it out for itself.
struct Moments {
  double mean;
  double scale;
};
__device__ Moments MomentsOfAdvantages(int rows, const float* advantages, int normalize) {
  if (!normalize || rows <= 1) return {0, 1};
  const int lane = threadIdx.x % 32;
  double sum = 0;
  for (int i = lane; i < rows; i += 32) sum += advantages[i];
  const double mean = SumOfWarp(sum) / rows;
  double squares = 0;
  for (int i = lane; i < rows; i += 32) {
    squares += (advantages[i] - mean) * (advantages[i] - mean);
  }
  return {mean, 1 / (sqrt(SumOfWarp(squares) / (rows - 1)) + 1e-8)};
}

// A warp per row.
extern "C" __global__ void CategoricalLoss(int rows, int width, const float* logits,
                                           const unsigned char* masks, const long long* actions,
                                           const float* old_log_probs, const float* advantages,
                                           const float* appraisals, PolicySettings settings,
                                           float* by_logits, float* terms) {
  const int lane = threadIdx.x % 32, i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= rows) return;
  const Moments moments = MomentsOfAdvantages(rows, advantages, settings.normalize_advantages);
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
  float by_log_prob = 0;
  if (lane == 0) {
    const double advantage = (advantages[i] - moments.mean) * moments.scale;
    by_log_prob =
        settings.policy_coefficient * Surrogate(row[action] - top - log_total, old_log_probs[i],
                                                advantage, settings.clip, rows, i, terms);
    terms[1 * rows + i] = entropy;
    terms[5 * rows + i] = 0;
  }
  by_log_prob = __shfl_sync(~0u, by_log_prob, 0);

  float mean = 0, weight = 0;
  if (appraisals) {
    appraisals += (long long)i * width;
    double sum = 0, allowed = 0;
    for (int j = lane; j < width; j += 32) {
      if (mask && !mask[j]) continue;
      sum += row[j] - appraisals[j] / settings.appraisal_temperature;
      allowed += 1;
    }
    sum = SumOfWarp(sum);
    allowed = SumOfWarp(allowed);
    mean = sum / allowed;
    weight = settings.appraisal_coefficient / (allowed * rows);
    double squares = 0;
    for (int j = lane; j < width; j += 32) {
      if (mask && !mask[j]) continue;
      const float error = row[j] - appraisals[j] / settings.appraisal_temperature - mean;
      squares += 0.5 * error * error / allowed;
    }
    squares = SumOfWarp(squares);
    if (lane == 0) terms[5 * rows + i] = squares;
  }
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
            weight * (row[j] - appraisals[j] / settings.appraisal_temperature - mean);
      }
    }
    out[j] = gradient;
  }
}

// A warp per row, of which one thread works: there are few values.
extern "C" __global__ void GaussianLoss(int rows, int width, const float* means,
                                        const float* log_std, const float* actions,
                                        const float* old_log_probs, const float* advantages,
                                        PolicySettings settings, float* by_means,
                                        float* log_std_terms, float* terms) {
  const int lane = threadIdx.x % 32, i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= rows) return;
  const Moments moments = MomentsOfAdvantages(rows, advantages, settings.normalize_advantages);
  if (lane > 0) return;
  const long long start = (long long)i * width;
  means += start;
  actions += start;
  by_means += start;
  log_std_terms += start;
  const double kHalfLogTwoPi = 0.91893853320467274178;
  double log_prob = 0, entropy = 0;
  for (int j = 0; j < width; ++j) {
    const double z = (actions[j] - means[j]) / exp((double)log_std[j]);
    log_prob += -0.5 * z * z - log_std[j] - kHalfLogTwoPi;
    entropy += log_std[j] + kHalfLogTwoPi + 0.5;
  }
  const double advantage = (advantages[i] - moments.mean) * moments.scale;
  const double by_log_prob =
      settings.policy_coefficient *
      Surrogate(log_prob, old_log_probs[i], advantage, settings.clip, rows, i, terms);
  terms[1 * rows + i] = entropy;
  terms[5 * rows + i] = 0;
  for (int j = 0; j < width; ++j) {
    const double deviation = exp((double)log_std[j]);
    const double z = (actions[j] - means[j]) / deviation;
    by_means[j] = by_log_prob * z / deviation;
    log_std_terms[j] = by_log_prob * (z * z - 1);
  }
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
      // What is not a number counts as endless.
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
  if (k < kTerms) {
    for (int i = threadIdx.x; i < rows; i += blockDim.x) sum += terms[k * rows + i];
  } else {
    for (int i = threadIdx.x; i < rows; i += blockDim.x) {
      sum += log_std_terms[(long long)i * width + k - kTerms];
    }
  }
  sum = SumOfBlock(sum);
  if (threadIdx.x > 0) return;
  if (k < kTerms) {
    sums[k] += sum / rows;
  } else {
    log_std_gradient[k - kTerms] = sum - entropy_coefficient;
  }
}

// One block; writes the mean loss. clip <= 0: none.
extern "C" __global__ void ValueLoss(int rows, const float* values, const float* old_values,
                                     const float* returns, float clip, float scale,
                                     float* by_values, double* loss) {
  double sum = 0;
  for (int i = threadIdx.x; i < rows; i += blockDim.x) {
    const float error = values[i] - returns[i];
    float worst = error;
    bool flat = false;  // the clipped value does not move with the value
    if (clip > 0) {
      const float change = values[i] - old_values[i];
      const float clipped = old_values[i] + fminf(fmaxf(change, -clip), clip) - returns[i];
      if (clipped * clipped > error * error) {
        worst = clipped;
        flat = fabsf(change) > clip;
      }
    }
    sum += 0.5 * worst * worst;
    by_values[i] = flat ? 0 : scale * worst / rows;
  }
  sum = SumOfBlock(sum);
  if (threadIdx.x == 0) *loss = sum / rows;
}

// Also counts the optimiser's step.
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
// Also sums up norm and value loss (null: none), and counts the rows that the pass has come to.
extern "C" __global__ void AdamStep(long long count, const float* gradients, float* parameters,
                                    float* first, float* second, const double* partial,
                                    int partials, float max_norm, const float* learning_rate,
                                    const float* step, double beta1, double beta2, double epsilon,
                                    const double* value_loss, double* sums, long long* next,
                                    long long rows) {
  const double norm = sqrt(SumOfBlock(threadIdx.x < partials ? partial[threadIdx.x] : 0));
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    sums[kGradNorm] += norm;
    if (value_loss) sums[kValueLoss] += *value_loss;
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
