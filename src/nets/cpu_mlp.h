#pragma once

#include <span>
#include <vector>

#include "src/config/config.pb.h"
#include "src/nets/cpu_net.h"
#include "src/nets/linear.h"
#include "src/nets/range.h"

namespace dray {

// Mlp on plain memory. The parameters are one flat array, layer after layer: weights [in, out] row
// by row, then biases [out].
class CpuMlp : public CpuNet {
 public:
  CpuMlp(const std::vector<int64_t>& sizes, Activation activation);

  size_t parameter_count() const override { return layers_.back().end(); }
  using CpuNet::Backward;
  using CpuNet::Forward;
  std::span<float> Forward(std::span<const float> parameters, const CpuInput& input,
                           ThreadTeam& team) override;
  void Backward(std::span<const float> parameters, const CpuInput& input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients,
                ThreadTeam& team) override;

  // Computes the gradients with respect to the input's numbers [rows, numbers]. Call it after
  // Backward.
  void InputGradients(std::span<const float> parameters, std::span<float> input_gradients);

 private:
  // Rows are independent in the forward pass and in the backward pass to each layer's inputs;
  // weights are independent when gradients are summed over rows. Threads therefore split the rows
  // first, then the weights.
  void ForwardRows(std::span<const float> parameters, const CpuInput& input, Range rows);
  void TurnWeights(const float* parameters, int part, int parts);
  void BackwardRows(std::span<const float> output_gradients, Range rows);
  void WriteGradients(const CpuInput& input, std::span<const float> output_gradients, int part,
                      int parts, float* parameter_gradients);
  // Computes the gradients of the bags' rows of weights: each is a sum over the batch rows that
  // contain the index.
  void WriteBagGradients(Range indices, const float* by_outputs, float* weight_gradients);
  void ListNamingRows(const BagRows& bags, int64_t rows);
  // Adds the first layer before its activation, without the biases.
  void AddFirstLayer(std::span<const float> parameters, const CpuInput& input, Range rows,
                     float* to) const;
  // Returns the part of the first layer that multiplies the numbers.
  LinearPart NumbersPart(const CpuInput& input) const;
  const float* ByOutputs(size_t layer, std::span<const float> output_gradients) const;

  std::vector<LinearPart> layers_;
  Activation activation_;
  std::vector<std::vector<float>> outputs_;  // output of each layer
  std::vector<std::vector<float>>
      by_outputs_;  // gradients by the outputs of each layer but the last
  std::vector<std::vector<float>>
      turned_;                        // transposed weights [out, in] of each layer but the first
  std::vector<int32_t> naming_rows_;  // batch rows that contain index 0, then index 1, ...
  std::vector<int32_t> naming_end_;   // [bag width]: end of each index's rows
  std::vector<uint8_t> is_named_;     // [bag width], in the last backward pass
};

}  // namespace dray
