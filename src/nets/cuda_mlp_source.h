#pragma once

namespace dray {

// CudaMlp's kernels. A block has some rows of the minibatch and takes them through all layers; sums
// are taken in a fixed order: the same input gives the same bits.
inline constexpr char kCudaMlpSource[] = R"cuda(
struct Sizes {
  int widths[8];  // from the inputs to the outputs
  int layers;
  int widest;
  int is_tanh;  // else ReLU
};

constexpr int kRowsOfThread = 4;

// The rows of a block.
struct Rows {
  int first;
  int count;
};
__device__ Rows RowsOfBlock(int rows, int rows_of_block) {
  const int first = blockIdx.x * rows_of_block;
  return {first, min(rows_of_block, rows - first)};
}

__device__ void Load(const float* from, Rows rows, int width, float* to) {
  from += (long long)rows.first * width;
  for (int i = threadIdx.x; i < rows.count * width; i += blockDim.x) to[i] = from[i];
}

// Writes the activations of every layer but the last, one layer after the other.
extern "C" __global__ void MlpForward(Sizes sizes, int rows, int rows_of_block,
                                      const float* __restrict__ inputs,
                                      const float* __restrict__ parameters, float* activations,
                                      float* outputs) {
  extern __shared__ float memory[];
  const Rows mine = RowsOfBlock(rows, rows_of_block);
  float *from = memory, *to = memory + rows_of_block * sizes.widest;
  Load(inputs, mine, sizes.widths[0], from);
  __syncthreads();
  for (int layer = 0; layer < sizes.layers; ++layer) {
    const int in = sizes.widths[layer], out = sizes.widths[layer + 1];
    const bool last = layer + 1 == sizes.layers;
    float* written = (last ? outputs : activations) + (long long)mine.first * out;
    const int groups = (mine.count + kRowsOfThread - 1) / kRowsOfThread;
    for (int i = threadIdx.x; i < groups * out; i += blockDim.x) {
      const int column = i % out, row = i / out * kRowsOfThread;
      const float* weights = parameters + column;
      const float bias = parameters[in * out + column];
      float sums[kRowsOfThread];
      const float* values[kRowsOfThread];
      for (int r = 0; r < kRowsOfThread; ++r) {
        sums[r] = bias;
        values[r] = from + min(row + r, mine.count - 1) * in;
      }
#pragma unroll 16
      for (int k = 0; k < in; ++k) {
        const float weight = weights[k * out];
        for (int r = 0; r < kRowsOfThread; ++r) sums[r] += values[r][k] * weight;
      }
      for (int r = 0; r < kRowsOfThread && row + r < mine.count; ++r) {
        float value = sums[r];
        // Written so that what is not a number stays so.
        if (!last) value = sizes.is_tanh ? tanhf(value) : value < 0 ? 0 : value;
        to[(row + r) * out + column] = value;
        written[(row + r) * out + column] = value;
      }
    }
    __syncthreads();
    float* const other = from;
    from = to;
    to = other;
    parameters += (in + 1) * out;
    if (!last) activations += (long long)rows * out;
  }
}

// `parameters`, `activations` are at their ends. Writes a block's sum of every parameter's gradient.
extern "C" __global__ void MlpBackward(Sizes sizes, int rows, int rows_of_block, int parameter_count,
                                       const float* __restrict__ inputs,
                                       const float* __restrict__ activations_end,
                                       const float* __restrict__ parameters_end,
                                       const float* __restrict__ by_outputs, float* partial) {
  extern __shared__ float memory[];
  const Rows mine = RowsOfBlock(rows, rows_of_block);
  const int room = rows_of_block * sizes.widest;
  float *by = memory, *by_below = memory + room, *values = memory + 2 * room;
  float* weights = memory + 3 * room;
  float* gradients = partial + (long long)(blockIdx.x + 1) * parameter_count;
  const float *parameters = parameters_end, *activations = activations_end;
  Load(by_outputs, mine, sizes.widths[sizes.layers], by);
  for (int layer = sizes.layers - 1; layer >= 0; --layer) {
    const int in = sizes.widths[layer], out = sizes.widths[layer + 1];
    const int stride = out | 1;  // odd: the threads of a warp meet different banks
    parameters -= (in + 1) * out;
    gradients -= (in + 1) * out;
    if (layer > 0) {
      activations -= (long long)rows * in;
      for (int i = threadIdx.x; i < in * out; i += blockDim.x) {
        weights[i / out * stride + i % out] = parameters[i];
      }
    }
    Load(layer > 0 ? activations : inputs, mine, in, values);
    __syncthreads();
    // The last row's are the bias's, whose value is always 1.
    for (int i = threadIdx.x; i < (in + 1) * out; i += blockDim.x) {
      const int k = i / out, column = i % out;
      float sum = 0;
      if (k < in) {
        for (int r = 0; r < mine.count; ++r) sum += values[r * in + k] * by[r * out + column];
      } else {
        for (int r = 0; r < mine.count; ++r) sum += by[r * out + column];
      }
      gradients[i] = sum;
    }
    if (layer > 0) {
      for (int i = threadIdx.x; i < mine.count * in; i += blockDim.x) {
        const int r = i / in, k = i % in;
        float sum = 0;
        for (int j = 0; j < out; ++j) sum += by[r * out + j] * weights[k * stride + j];
        const float value = values[i];
        by_below[i] = sizes.is_tanh ? sum * (1 - value * value) : value > 0 ? sum : 0;
      }
    }
    __syncthreads();
    float* const other = by;
    by = by_below;
    by_below = other;
  }
}

extern "C" __global__ void SumOverBlocks(int parameter_count, int blocks,
                                         const float* __restrict__ partial, float* gradients) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= parameter_count) return;
  float sum = 0;
#pragma unroll 16
  for (int block = 0; block < blocks; ++block) {
    sum += partial[(long long)block * parameter_count + i];
  }
  gradients[i] = sum;
}
)cuda";

}  // namespace dray
