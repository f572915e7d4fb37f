#pragma once

namespace dray {

// CUDA kernels of CudaMlp. A block takes some rows of the minibatch through all layers, in tiles of
// as many rows as its shared memory holds. Sums are taken in a fixed order, so the same input gives
// the same bits.
inline constexpr char kCudaMlpSource[] = R"cuda(
struct Sizes {
  int widths[8];  // widths of all layers, input first
  int layers;
  int widest;
  int is_tanh;  // else ReLU
};

constexpr int kRowsOfThread = 4;

struct Rows {
  int first;
  int count;
};
// How the rows of a minibatch are divided among blocks, and those of a block into tiles.
struct Division {
  int rows;
  int rows_of_block;
  int rows_of_tile;
};
__device__ int Tiles(Division division) {
  const int rows = min(division.rows_of_block, division.rows - (int)blockIdx.x * division.rows_of_block);
  return (rows + division.rows_of_tile - 1) / division.rows_of_tile;
}
__device__ Rows RowsOfTile(Division division, int tile) {
  const int start = tile * division.rows_of_tile;
  const int first = blockIdx.x * division.rows_of_block + start;
  return {first, min(min(division.rows_of_tile, division.rows_of_block - start), division.rows - first)};
}

__device__ void Load(const float* from, Rows rows, int width, float* to) {
  from += (long long)rows.first * width;
  for (int i = threadIdx.x; i < rows.count * width; i += blockDim.x) to[i] = from[i];
}

// Takes a tile through all layers. Writes the activations of every layer but the last, one layer
// after the other.
__device__ void ForwardTile(Sizes sizes, int rows, Rows mine, const float* __restrict__ inputs,
                            const float* __restrict__ parameters, float* activations,
                            float* outputs, float* from, float* to) {
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
        // Written so that NaN stays NaN.
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

extern "C" __global__ void MlpForward(Sizes sizes, Division division,
                                      const float* __restrict__ inputs,
                                      const float* __restrict__ parameters, float* activations,
                                      float* outputs) {
  extern __shared__ float memory[];
  float* const second = memory + division.rows_of_tile * sizes.widest;
  const int tiles = Tiles(division);
  for (int tile = 0; tile < tiles; ++tile) {
    ForwardTile(sizes, division.rows, RowsOfTile(division, tile), inputs, parameters, activations,
                outputs, memory, second);
  }
}

// Takes a tile back through all layers. `parameters`, `activations` and `gradients` are at their
// ends. Writes the sum of every parameter's gradient over the tile, or adds it to what is there.
__device__ void BackwardTile(Sizes sizes, int rows, Rows mine, bool adds,
                             const float* __restrict__ inputs,
                             const float* __restrict__ activations,
                             const float* __restrict__ parameters,
                             const float* __restrict__ by_outputs, float* gradients, float* by,
                             float* by_below, float* values, float* weights) {
  Load(by_outputs, mine, sizes.widths[sizes.layers], by);
  for (int layer = sizes.layers - 1; layer >= 0; --layer) {
    const int in = sizes.widths[layer], out = sizes.widths[layer + 1];
    const int stride = out | 1;  // odd, so that the threads of a warp use different banks
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
    // The last row holds the bias, whose input is always 1.
    for (int i = threadIdx.x; i < (in + 1) * out; i += blockDim.x) {
      const int k = i / out, column = i % out;
      float sum = adds ? gradients[i] : 0;
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

// Writes a block's sum of every parameter's gradient.
extern "C" __global__ void MlpBackward(Sizes sizes, Division division, int parameter_count,
                                       const float* __restrict__ inputs,
                                       const float* __restrict__ activations_end,
                                       const float* __restrict__ parameters_end,
                                       const float* __restrict__ by_outputs, float* partial) {
  extern __shared__ float memory[];
  const int room = division.rows_of_tile * sizes.widest;
  float* const gradients_end = partial + (long long)(blockIdx.x + 1) * parameter_count;
  const int tiles = Tiles(division);
  for (int tile = 0; tile < tiles; ++tile) {
    BackwardTile(sizes, division.rows, RowsOfTile(division, tile), tile > 0, inputs,
                 activations_end, parameters_end, by_outputs, gradients_end, memory, memory + room,
                 memory + 2 * room, memory + 3 * room);
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
