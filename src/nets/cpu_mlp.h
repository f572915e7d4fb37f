#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/config/config.pb.h"

namespace dray {

// The sparse part of a batch of rows: row i counts the indices of bag rows[i], and bag b has
// indices[offsets[b]] ... indices[offsets[b + 1] - 1] of a table of `width` counts.
struct BagRows {
  int64_t width = 0;  // 0: there is none
  std::span<const int32_t> offsets = {};
  std::span<const int32_t> indices = {};
  std::span<const int64_t> rows = {};

  std::span<const int32_t> operator[](int64_t row) const {
    const auto bag = static_cast<size_t>(rows[static_cast<size_t>(row)]);
    return indices.subspan(static_cast<size_t>(offsets[bag]),
                           static_cast<size_t>(offsets[bag + 1] - offsets[bag]));
  }
};

// What a batch of rows brings to a network: [counts, numbers] per row. The counts are never made:
// their product with the first layer's weights is a sum of rows of these.
struct MlpInput {
  int64_t rows = 0;
  std::span<const float> numbers;  // [rows, in - bags.width]
  BagRows bags = {};
  // [rows, first layer's outputs]: what the counts come to, where that is known; `bags` then only
  // says how wide they are.
  std::span<const float> bag_sums = {};
};

// An MLP's forward and backward pass on plain memory, by the kernels in kernels.h. The parameters
// are one flat array, layer after layer: weights [in, out] row by row, then biases [out]. Same
// numbers as Mlp::Forward to rounding. Keeps what the backward pass needs; one object per thread.
class CpuMlp {
 public:
  CpuMlp(std::vector<int64_t> sizes, Activation activation);

  size_t parameter_count() const;
  const std::vector<int64_t>& sizes() const { return sizes_; }

  // [rows, in] -> [rows, out]. The result is valid until the next call.
  std::span<float> Forward(std::span<const float> parameters, const MlpInput& input);

  // After Forward with the same parameters and input: gradients by the parameters, from gradients
  // by the output [rows, out]. Overwrites `parameter_gradients`.
  void Backward(std::span<const float> parameters, const MlpInput& input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients);

 private:
  // The first layer before its activation, but for the biases.
  void AddFirstLayer(const float* weights, const MlpInput& input, std::span<float> to) const;
  void AddFirstLayerGradients(const MlpInput& input, float* weight_gradients) const;

  std::vector<int64_t> sizes_;
  Activation activation_;
  std::vector<std::vector<float>> outputs_;  // of each layer
  std::vector<float> gradients_;             // by a layer's outputs
  std::vector<float> next_gradients_;
  std::vector<float> transposed_;  // [out, in] weights
};

}  // namespace dray
