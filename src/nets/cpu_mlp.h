#pragma once

#include <span>
#include <vector>

#include "src/config/config.pb.h"

namespace dray {

// An MLP's forward and backward pass on plain memory, by the kernels in kernels.h. The parameters
// are one flat array, layer after layer: weights [in, out] row by row, then biases [out]. Same
// numbers as Mlp::Forward to rounding. Keeps what the backward pass needs; one object per thread.
class CpuMlp {
 public:
  CpuMlp(std::vector<int64_t> sizes, Activation activation);

  size_t parameter_count() const;

  // [rows, in] -> [rows, out]. The result is valid until the next call.
  std::span<float> Forward(std::span<const float> parameters, std::span<const float> input);

  // After Forward with the same parameters and input: gradients by the parameters, from gradients
  // by the output [rows, out]. Overwrites `parameter_gradients`.
  void Backward(std::span<const float> parameters, std::span<const float> input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients);

 private:
  std::vector<int64_t> sizes_;
  Activation activation_;
  std::vector<std::vector<float>> outputs_;  // of each layer
  std::vector<float> gradients_;             // by a layer's outputs
  std::vector<float> next_gradients_;
  std::vector<float> transposed_;  // [out, in] weights
};

}  // namespace dray
