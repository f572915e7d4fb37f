// Kernels that take small perceptrons through a step: rows are picked, the networks run forward,
// the loss is computed and the networks run backward in one kernel; a second one sums the gradients
// of all blocks. Part of the kernels' source, like row_loss.h.
//
// A block works on tiles of rows, whose values stay in its shared memory. Values are stored by
// unit, value[unit * stride + row], so that a thread can read those of four rows at once. Sums are
// taken in a fixed order: the same input gives the same bits.
#ifndef __CUDACC_RTC__
#pragma once
#include "src/learn/device/row_loss.h"
#define DRAY_UNROLL
#define DRAY_SHARED_MEMORY extern float4
#else
#define DRAY_UNROLL _Pragma("unroll 4")
#define DRAY_SHARED_MEMORY extern __shared__ float4
#endif

namespace dray {

constexpr int kQuad = 4;  // a thread computes blocks of four by four numbers
__device__ inline int Quads(int count) { return (count + kQuad - 1) / kQuad; }
__device__ inline int Padded(int count) { return Quads(count) * kQuad; }
// Rows of different units start in different banks of shared memory.
__device__ inline int Stride(int count) { return Padded(count) + kQuad; }

struct Four {
  float of[kQuad];
};
__device__ inline Four Load(const float* at) {
  const float4 numbers = *(const float4*)at;
  return {{numbers.x, numbers.y, numbers.z, numbers.w}};
}
__device__ inline void Store(float* at, const Four& four) {
  float4 numbers;
  numbers.x = four.of[0];
  numbers.y = four.of[1];
  numbers.z = four.of[2];
  numbers.w = four.of[3];
  *(float4*)at = numbers;
}

// Written so that NaN stays NaN.
__device__ inline float Activated(float value, int is_tanh) {
  return is_tanh ? tanhf(value) : value < 0 ? 0 : value;
}
__device__ inline float ThroughActivation(float gradient, float value, int is_tanh) {
  return is_tanh ? gradient * (1 - value * value) : value > 0 ? gradient : 0;
}

// Returns true if there are enough four-by-four blocks for most threads.
__device__ inline bool ByQuads(int quads) { return 2 * quads >= (int)blockDim.x; }

// to[j, row] = activation(bias[j] + sum_i from[i, row] weights[i, j])
__device__ inline void ForwardLayer(int in, int out, int tile, bool activates, int is_tanh,
                                    const float* from, const float* weights, const float* bias,
                                    float* to) {
  const int stride = Stride(tile), across = Padded(out), row_quads = tile / kQuad;
  if (!ByQuads(row_quads * Quads(out))) {
    for (int i = threadIdx.x; i < tile * out; i += blockDim.x) {
      const int row = i % tile, j = i / tile;
      float sum = bias[j];
      DRAY_UNROLL
      for (int k = 0; k < in; ++k) sum += from[k * stride + row] * weights[k * across + j];
      to[j * stride + row] = activates ? Activated(sum, is_tanh) : sum;
    }
    return;
  }
  for (int i = threadIdx.x; i < row_quads * Quads(out); i += blockDim.x) {
    const int row = i % row_quads * kQuad, j = i / row_quads * kQuad;
    Four sums[kQuad];
    for (int b = 0; b < kQuad; ++b) {
      for (int a = 0; a < kQuad; ++a) sums[b].of[a] = bias[j + b];
    }
    DRAY_UNROLL
    for (int k = 0; k < in; ++k) {
      const Four values = Load(from + k * stride + row), by = Load(weights + k * across + j);
      for (int b = 0; b < kQuad; ++b) {
        for (int a = 0; a < kQuad; ++a) sums[b].of[a] += values.of[a] * by.of[b];
      }
    }
    for (int b = 0; b < kQuad; ++b) {
      for (int a = 0; a < kQuad && activates; ++a) {
        sums[b].of[a] = Activated(sums[b].of[a], is_tanh);
      }
      Store(to + (j + b) * stride + row, sums[b]);
    }
  }
}

// gradients[i, j] = sum_row values[i, row] by[j, row], and those of the biases; or adds them.
__device__ inline void LayerGradients(int in, int out, int tile, bool adds, const float* values,
                                      const float* by, float* gradients) {
  const int stride = Stride(tile), in_quads = Quads(in), out_quads = Quads(out);
  if (ByQuads(in_quads * out_quads)) {
    for (int i = threadIdx.x; i < in_quads * out_quads; i += blockDim.x) {
      // Units that are `quads` apart, so that neighbouring threads read from different banks.
      const int j = i % out_quads, k = i / out_quads;
      Four sums[kQuad] = {};
      for (int row = 0; row < tile; row += kQuad) {
        Four left[kQuad], right[kQuad];
        for (int a = 0; a < kQuad; ++a) {
          left[a] = Load(values + (k + a * in_quads) * stride + row);
          right[a] = Load(by + (j + a * out_quads) * stride + row);
        }
        for (int a = 0; a < kQuad; ++a) {
          for (int b = 0; b < kQuad; ++b) {
            for (int r = 0; r < kQuad; ++r) sums[a].of[b] += left[a].of[r] * right[b].of[r];
          }
        }
      }
      for (int a = 0; a < kQuad; ++a) {
        for (int b = 0; b < kQuad; ++b) {
          const int from = k + a * in_quads, to = j + b * out_quads;
          if (from >= in || to >= out) continue;
          float& gradient = gradients[from * out + to];
          gradient = adds ? gradient + sums[a].of[b] : sums[a].of[b];
        }
      }
    }
  } else {
    for (int i = threadIdx.x; i < in * out; i += blockDim.x) {
      const float* left = values + i / out * stride;
      const float* right = by + i % out * stride;
      float sum = 0;
      for (int row = 0; row < tile; row += kQuad) {
        const Four a = Load(left + row), b = Load(right + row);
        for (int r = 0; r < kQuad; ++r) sum += a.of[r] * b.of[r];
      }
      gradients[i] = adds ? gradients[i] + sum : sum;
    }
  }
  for (int j = threadIdx.x; j < out; j += blockDim.x) {
    float sum = 0;
    for (int row = 0; row < tile; ++row) sum += by[j * stride + row];
    float& gradient = gradients[in * out + j];
    gradient = adds ? gradient + sum : sum;
  }
}

// below[i, row] = activation'(values[i, row]) * sum_j weights[j, i] by[j, row]
__device__ inline void BackwardLayer(int in, int out, int tile, int is_tanh, const float* values,
                                     const float* weights, const float* by, float* below) {
  const int stride = Stride(tile), across = Stride(in), row_quads = tile / kQuad;
  if (!ByQuads(row_quads * Quads(in))) {
    for (int i = threadIdx.x; i < tile * in; i += blockDim.x) {
      const int row = i % tile, k = i / tile;
      float sum = 0;
      DRAY_UNROLL
      for (int j = 0; j < out; ++j) sum += by[j * stride + row] * weights[j * across + k];
      below[k * stride + row] = ThroughActivation(sum, values[k * stride + row], is_tanh);
    }
    return;
  }
  for (int i = threadIdx.x; i < row_quads * Quads(in); i += blockDim.x) {
    const int row = i % row_quads * kQuad, k = i / row_quads * kQuad;
    Four sums[kQuad] = {};
    DRAY_UNROLL
    for (int j = 0; j < out; ++j) {
      const Four gradient = Load(by + j * stride + row), with = Load(weights + j * across + k);
      for (int b = 0; b < kQuad; ++b) {
        for (int a = 0; a < kQuad; ++a) sums[b].of[a] += gradient.of[a] * with.of[b];
      }
    }
    for (int b = 0; b < kQuad; ++b) {
      const Four value = Load(values + (k + b) * stride + row);
      for (int a = 0; a < kQuad; ++a) {
        sums[b].of[a] = ThroughActivation(sums[b].of[a], value.of[a], is_tanh);
      }
      Store(below + (k + b) * stride + row, sums[b]);
    }
  }
}

// The parts of a block's shared memory. PerceptronBytes computes its size on the host.
struct TileMemory {
  double* terms;   // [kLossTerms, tile]
  int* rows;       // [tile]: number of each row among the samples
  float* by;       // [widest, stride]: gradients with respect to a layer's output
  float* below;    // the same for the layer below
  float* weights;  // of one layer
  float* values;   // of all layers
};
__device__ inline TileMemory Divide(float* memory, int tile, int widest, int weights) {
  TileMemory parts;
  parts.terms = (double*)memory;
  parts.rows = (int*)(memory + 2 * kLossTerms * tile);
  parts.by = memory + 2 * kLossTerms * tile + tile;
  parts.below = parts.by + Padded(widest) * Stride(tile);
  parts.weights = parts.below + Padded(widest) * Stride(tile);
  parts.values = parts.weights + weights;
  return parts;
}

// Loads the observations of a tile; rows beyond the last are 0. Returns the number of rows.
__device__ inline int PickTile(const PerceptronStep& step, int number, int width,
                               const TileMemory& parts) {
  const int first = number * step.tile, count = min(step.tile, step.place.rows - first);
  for (int row = threadIdx.x; row < step.tile; row += blockDim.x) {
    parts.rows[row] = row < count ? step.order[*step.place.next + first + row] : 0;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < step.tile * width; i += blockDim.x) {
    const int row = i / width, unit = i % width;
    parts.values[unit * Stride(step.tile) + row] =
        row < count ? step.observations[(long long)parts.rows[row] * width + unit] : 0;
  }
  return count;
}

// Computes loss and gradient of a tile's outputs; of rows beyond the last, 0.
__device__ inline void TileLoss(const PerceptronStep& step, bool acts, int width, int count,
                                float* outputs, const TileMemory& parts) {
  const int tile = step.tile, stride = Stride(tile);
  const bool spreads = step.policy.log_std != nullptr;
  const int lanes = acts && !spreads ? min(32, max(1, (int)blockDim.x / tile)) : 1;
  for (int i = threadIdx.x; i < tile * lanes; i += blockDim.x) {
    const int row = i / lanes, lane = i % lanes;
    const long long sample = parts.rows[row];  // beyond the last: the first sample, not counted
    const Strided out{outputs + row, stride}, by{parts.by + row, stride};
    LossTerms terms;
    if (!acts) {
      by[0] = ValueRow(sample, step.place, step.value, out[0], terms.of[0]);
    } else if (spreads) {
      GaussianRow(sample, step.place, step.policy, step.settings, width, out, by,
                  {parts.below + row, stride}, terms);
    } else {
      CategoricalRow(sample, step.place, step.policy, step.settings, width, out, lane, lanes, by,
                     terms);
    }
    for (int j = lane; j < width && row >= count; j += lanes) {
      by[j] = 0;
      if (acts && spreads) parts.below[j * stride + row] = 0;
    }
    for (int k = 0; k < kLossTerms && lane == 0; ++k) {
      parts.terms[k * tile + row] = row < count ? terms.of[k] : 0;
    }
  }
}

// Adds a term's values in a tile to its total: the largest ratio error, else the sum. For a warp.
__device__ inline double WithTile(double total, int term, int tile, const double* terms) {
  double sum = 0;
  float most = 0;
  for (int row = threadIdx.x % 32; row < tile; row += 32) {
    const double value = terms[term * tile + row];
    sum += value;
    most = fmaxf(most, value == value ? value : 3.4e38);  // NaN counts as infinite
  }
  sum = SumOfLanes(sum, 32);
  most = MostOfLanes(most, 32);
  return term == kRatioError ? fmax(total, (double)most) : total + sum;
}

// `weights`: room for a layer's weights in shared memory.
extern "C" __global__ void __launch_bounds__(256)
    DifferentiatePerceptrons(PerceptronStep step, int weights) {
  DRAY_SHARED_MEMORY memory[];
  const bool acts = (int)blockIdx.x < step.actor.blocks;
  const Perceptron& net = acts ? step.actor : step.critic;
  const int block = acts ? blockIdx.x : blockIdx.x - step.actor.blocks;
  const int tile = step.tile, stride = Stride(tile);
  const int outputs = net.widths[net.layers];
  TileMemory parts = Divide((float*)memory, tile, step.widest, weights);
  float* const gradients = net.partial + (long long)block * net.parameter_count;
  const int term = threadIdx.x / 32, terms = acts ? kLossTerms : 1;  // a warp sums each term
  double total = 0;
  bool adds = false;
  for (int number = block; number * tile < step.place.rows; number += net.blocks, adds = true) {
    const int count = PickTile(step, number, net.widths[0], parts);
    const float* parameters = net.parameters;
    float* values = parts.values;
    for (int layer = 0; layer < net.layers; ++layer) {
      const int in = net.widths[layer], out = net.widths[layer + 1], across = Padded(out);
      for (int i = threadIdx.x; i < (in + 1) * out; i += blockDim.x) {
        parts.weights[i / out * across + i % out] = parameters[i];
      }
      __syncthreads();
      float* const to = values + Padded(in) * stride;
      ForwardLayer(in, out, tile, layer + 1 < net.layers, net.is_tanh, values, parts.weights,
                   parts.weights + in * across, to);
      __syncthreads();
      values = to;
      parameters += (in + 1) * out;
    }
    TileLoss(step, acts, outputs, count, values, parts);
    __syncthreads();
    if (term < terms) total = WithTile(total, term, tile, parts.terms);
    float* to = gradients + (parameters - net.parameters);
    if (acts && step.policy.log_std) {
      for (int j = threadIdx.x; j < outputs; j += blockDim.x) {
        float sum = 0;
        for (int row = 0; row < tile; ++row) sum += parts.below[j * stride + row];
        to[j] = adds ? to[j] + sum : sum;
      }
    }
    for (int layer = net.layers - 1; layer >= 0; --layer) {
      const int in = net.widths[layer], out = net.widths[layer + 1];
      parameters -= (in + 1) * out;
      to -= (in + 1) * out;
      values -= Padded(in) * stride;
      LayerGradients(in, out, tile, adds, values, parts.by, to);
      if (layer > 0) {
        for (int i = threadIdx.x; i < in * out; i += blockDim.x) {
          parts.weights[i % out * Stride(in) + i / out] = parameters[i];
        }
        __syncthreads();
        BackwardLayer(in, out, tile, net.is_tanh, values, parts.weights, parts.by, parts.below);
      }
      __syncthreads();
      float* const other = parts.by;
      parts.by = parts.below;
      parts.below = other;
    }
  }
  if (term < terms && threadIdx.x % 32 == 0) net.terms[block * kLossTerms + term] = total;
}

// Sums the blocks' gradients; the last block sums the terms of the loss and counts the step.
extern "C" __global__ void SumPerceptrons(PerceptronStep step, GradientSums to) {
  if (blockIdx.x + 1 == gridDim.x) {
    const int k = threadIdx.x;
    if (k == kLossTerms) *to.step += 1;
    const Perceptron& net = k < kLossTerms ? step.actor : step.critic;
    if (k > kLossTerms || net.blocks == 0) return;
    double sum = 0;
    for (int block = 0; block < net.blocks; ++block) {
      const double term = net.terms[block * kLossTerms + k % kLossTerms];
      sum = k == kRatioError ? fmax(sum, term) : sum + term;
    }
    if (k == kRatioError) {
      *to.ratio_error = fmaxf(*to.ratio_error, sum);
    } else {
      to.sums[k < kLossTerms ? k : (int)kValueLossSum] += sum / step.place.rows;
    }
    return;
  }
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const bool acts = i < step.actor.parameter_count;
  const Perceptron& net = acts ? step.actor : step.critic;
  const long long in_net = acts ? i : i - to.critic_start;
  float sum = 0;
  if (net.blocks > 0 && in_net >= 0 && in_net < net.parameter_count) {
    DRAY_UNROLL
    for (int block = 0; block < net.blocks; ++block) {
      sum += net.partial[(long long)block * net.parameter_count + in_net];
    }
    if (acts && step.policy.log_std && i >= net.parameter_count - net.widths[net.layers]) {
      sum -= step.settings.entropy_coefficient;
    }
    to.gradients[i] = sum;
    if (acts && to.signal) to.signal[i] += sum;
  }
  const double square = (double)sum * sum;
  const double all = SumOfBlock(square), actors = SumOfBlock(acts ? square : 0);
  if (threadIdx.x == 0) {
    to.squares[blockIdx.x] = all;
    to.actor_squares[blockIdx.x] = actors;
  }
}

}  // namespace dray
