#pragma once

namespace dray {

// FusedStep's kernels for networks of any kind, which the library differentiates. They follow
// perceptron_kernels.h in the program's text. Sums are taken in a fixed order, so the same input
// gives the same bits.
inline constexpr char kFusedStepSource[] = R"cuda(
using namespace dray;

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

// Computes the moments of the advantages of each minibatch of a pass; a block per minibatch.
extern "C" __global__ void SumAdvantages(long long rows, long long minibatch,
                                         const long long* order, const float* advantages,
                                         AdvantageMoments* moments) {
  const long long first = blockIdx.x * minibatch, count = min(minibatch, rows - first);
  order += first;
  double sum = 0;
  for (long long i = threadIdx.x; i < count; i += blockDim.x) sum += advantages[order[i]];
  const double mean = SumOfBlock(sum) / count;
  double squares = 0;
  for (long long i = threadIdx.x; i < count; i += blockDim.x) {
    const double distance = advantages[order[i]] - mean;
    squares += distance * distance;
  }
  squares = SumOfBlock(squares);
  if (threadIdx.x > 0) return;
  moments[blockIdx.x].mean = count > 1 ? mean : 0;
  moments[blockIdx.x].scale = count > 1 ? ScaleOf(squares, count) : 1;
}

__device__ void WriteTerms(int rows, int i, const LossTerms& of_row, float* terms) {
  for (int k = 0; k < kLossTerms; ++k) terms[k * rows + i] = of_row.of[k];
}

// A warp per row.
extern "C" __global__ void CategoricalLoss(Place place, int width, float* logits, PolicyData data,
                                           PolicySettings settings, float* by_logits,
                                           float* terms) {
  const int lane = threadIdx.x % 32, i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= place.rows) return;
  const long long start = (long long)i * width;
  LossTerms of_row;
  CategoricalRow(i, place, data, settings, width, {logits + start, 1}, lane, 32,
                 {by_logits + start, 1}, of_row);
  if (lane == 0) WriteTerms(place.rows, i, of_row, terms);
}

// A thread per row: there are few values.
extern "C" __global__ void GaussianLoss(Place place, int width, float* means, PolicyData data,
                                        PolicySettings settings, float* by_means,
                                        float* log_std_terms, float* terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= place.rows) return;
  const long long start = (long long)i * width;
  LossTerms of_row;
  GaussianRow(i, place, data, settings, width, {means + start, 1}, {by_means + start, 1},
              {log_std_terms + start, 1}, of_row);
  WriteTerms(place.rows, i, of_row, terms);
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
    largest = MostOfLanes(largest, 32);
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

// One block; writes the mean loss.
extern "C" __global__ void ValueLoss(Place place, const float* values, ValueData data,
                                     float* by_values, double* loss) {
  double sum = 0;
  for (int i = threadIdx.x; i < place.rows; i += blockDim.x) {
    double of_row = 0;
    by_values[i] = ValueRow(i, place, data, values[i], of_row);
    sum += of_row;
  }
  sum = SumOfBlock(sum);
  if (threadIdx.x == 0) *loss = sum / place.rows;
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
// Also adds norm and value loss (null: none) to the sums, the actor's squares to those of its signal
// (null: none), and moves the pass on by `rows`.
extern "C" __global__ void AdamStep(long long count, const float* gradients, float* parameters,
                                    float* first, float* second, const double* partial,
                                    int partials, float max_norm, const float* learning_rate,
                                    const float* step, double beta1, double beta2, double epsilon,
                                    const double* value_loss, double* sums,
                                    const double* actor_squares, double* signal_squares,
                                    long long* next, long long rows) {
  const double norm = sqrt(SumOfBlock(threadIdx.x < partials ? partial[threadIdx.x] : 0));
  if (signal_squares && blockIdx.x == 0) {
    const double square = SumOfBlock(threadIdx.x < partials ? actor_squares[threadIdx.x] : 0);
    if (threadIdx.x == 0) *signal_squares += square;
  }
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
