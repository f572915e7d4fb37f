#pragma once

#include <span>
#include <vector>

#include "src/config/config.pb.h"
#include "src/nets/cpu_net.h"
#include "src/nets/linear.h"

namespace dray {

// Mlp's twin on plain memory. The parameters are one flat array, layer after layer: weights
// [in, out] row by row, then biases [out].
class CpuMlp : public CpuNet {
 public:
  CpuMlp(const std::vector<int64_t>& sizes, Activation activation);

  size_t parameter_count() const override { return static_cast<size_t>(layers_.back().end()); }
  std::span<float> Forward(std::span<const float> parameters, const CpuInput& input) override;
  void Backward(std::span<const float> parameters, const CpuInput& input,
                std::span<const float> output_gradients,
                std::span<float> parameter_gradients) override;

  // After Backward: gradients by the numbers of the input [rows, numbers].
  void InputGradients(std::span<const float> parameters, std::span<float> input_gradients);

 private:
  // The first layer before its activation, but for the biases.
  void AddFirstLayer(std::span<const float> parameters, const CpuInput& input, float* to) const;
  void WriteFirstGradients(const CpuInput& input, std::span<float> parameter_gradients);
  // By the bags' rows of weights: each is a sum over the rows of the batch that name it.
  void WriteBagGradients(const CpuInput& input, float* weight_gradients);
  void ListNamingRows(const BagRows& bags, int64_t rows);
  // The part of the first layer that the numbers go through.
  LinearPart NumbersPart(const CpuInput& input) const;

  std::vector<LinearPart> layers_;
  Activation activation_;
  std::vector<std::vector<float>> outputs_;  // of each layer
  std::vector<float> gradients_;             // by a layer's outputs
  std::vector<float> next_gradients_;
  std::vector<float> transposed_;     // scratch
  std::vector<int32_t> naming_rows_;  // rows of the batch that name index 0, then index 1, ...
  std::vector<int32_t> naming_end_;   // [bag width]: where those of an index end
  std::vector<uint8_t> is_named_;     // [bag width], by the last backward pass
};

}  // namespace dray
