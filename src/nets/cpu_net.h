#pragma once

#include <cstdint>
#include <span>

#include "src/base/thread_team.h"

namespace dray {

// The sparse part of a batch of rows: row i counts the indices of bag rows[i], and bag b has
// indices[offsets[b]] ... indices[offsets[b + 1] - 1] of a table of `width` counts.
struct BagRows {
  int64_t width = 0;  // 0: there is none
  std::span<const int32_t> offsets = {};
  std::span<const int32_t> indices = {};
  std::span<const int64_t> rows = {};

  std::span<const int32_t> operator[](int64_t row) const {
    const size_t bag = rows[row];
    return indices.subspan(offsets[bag], offsets[bag + 1] - offsets[bag]);
  }
};

// What a batch of rows brings to a network: [counts, numbers] per row. The counts are never made:
// their product with the first layer's weights is a sum of rows of these.
struct CpuInput {
  int64_t rows = 0;
  std::span<const float> numbers;  // [rows, in - bags.width]
  BagRows bags = {};
  // [rows, first layer's outputs]: what the counts come to, where that is known; `bags` then only
  // says how wide they are.
  std::span<const float> bag_sums = {};
};

// A network's forward and backward pass on plain memory, by the kernels in kernels.h: same numbers
// as the Net of its kind to rounding, and the same bits however many threads share the work. Keeps
// what the backward pass needs; one object per caller.
class CpuNet {
 public:
  virtual ~CpuNet() = default;

  virtual size_t parameter_count() const = 0;

  // [rows, outputs], valid until the next call.
  virtual std::span<float> Forward(std::span<const float> parameters, const CpuInput& input,
                                   ThreadTeam& team) = 0;
  std::span<float> Forward(std::span<const float> parameters, const CpuInput& input) {
    return Forward(parameters, input, ThreadTeam::Alone());
  }

  // After Forward with the same parameters and input: gradients by the parameters, from gradients
  // by the output [rows, outputs]. Overwrites `parameter_gradients`, but of the bags' rows of
  // weights only those that this call or the last one names: the others are 0 from the start, and
  // nobody else writes there.
  virtual void Backward(std::span<const float> parameters, const CpuInput& input,
                        std::span<const float> output_gradients,
                        std::span<float> parameter_gradients, ThreadTeam& team) = 0;
  void Backward(std::span<const float> parameters, const CpuInput& input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients) {
    Backward(parameters, input, output_gradients, parameter_gradients, ThreadTeam::Alone());
  }
};

}  // namespace dray
