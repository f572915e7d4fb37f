#pragma once

#include <cstdint>
#include <span>

#include "src/base/thread_team.h"

namespace dray {

// The sparse part of a batch: row i counts the indices of bag rows[i], and bag b contains
// indices[offsets[b]] ... indices[offsets[b + 1] - 1] of a table of `width` counts.
struct BagRows {
  int64_t width = 0;  // 0: no sparse part
  std::span<const int32_t> offsets = {};
  std::span<const int32_t> indices = {};
  std::span<const int64_t> rows = {};

  std::span<const int32_t> operator[](int64_t row) const {
    const size_t bag = rows[row];
    return indices.subspan(offsets[bag], offsets[bag + 1] - offsets[bag]);
  }
};

// Input of a network: [counts, numbers] per row. The counts are never materialised: their product
// with the first layer's weights is a sum of rows of the weights.
struct CpuInput {
  int64_t rows = 0;
  std::span<const float> numbers;  // [rows, in - bags.width]
  BagRows bags = {};
  // [rows, first layer's outputs]: the product of the counts and the weights, if already known;
  // then only the width of `bags` is used.
  std::span<const float> bag_sums = {};
  int64_t sequence = 1;  // see NetInput
};

// Forward and backward pass of a network on plain memory, using kernels.h. Gives the same numbers
// as the Net of its kind up to rounding, and the same bits for any number of threads. Stores what
// the backward pass needs, so every caller needs its own object.
class CpuNet {
 public:
  virtual ~CpuNet() = default;

  virtual size_t parameter_count() const = 0;
  // Memory of a recurrent network after each row of the last Forward; empty for other networks.
  virtual std::span<const float> memory() const { return {}; }

  // Returns the outputs [rows, outputs], valid until the next call.
  virtual std::span<float> Forward(std::span<const float> parameters, const CpuInput& input,
                                   ThreadTeam& team) = 0;
  std::span<float> Forward(std::span<const float> parameters, const CpuInput& input) {
    return Forward(parameters, input, ThreadTeam::Alone());
  }

  // Computes the parameters' gradients from those of the outputs [rows, outputs]. Call it after
  // Forward with the same parameters and input. Overwrites `parameter_gradients`, except that of
  // the bags' rows of weights only those named by this call or the last one are written: the others
  // must be 0 from the start, and nobody else may write there.
  virtual void Backward(std::span<const float> parameters, const CpuInput& input,
                        std::span<const float> output_gradients,
                        std::span<float> parameter_gradients, ThreadTeam& team) = 0;
  void Backward(std::span<const float> parameters, const CpuInput& input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients) {
    Backward(parameters, input, output_gradients, parameter_gradients, ThreadTeam::Alone());
  }
};

}  // namespace dray
