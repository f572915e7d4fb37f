#pragma once

#include <span>
#include <vector>

#include "src/config/config.pb.h"
#include "src/nets/cpu_net.h"
#include "src/nets/linear.h"
#include "src/nets/range.h"

namespace dray {

// Mlp's twin on plain memory. The parameters are one flat array, layer after layer: weights
// [in, out] row by row, then biases [out].
class CpuMlp : public CpuNet {
 public:
  CpuMlp(const std::vector<int64_t>& sizes, Activation activation);

  size_t parameter_count() const override { return static_cast<size_t>(layers_.back().end()); }
  using CpuNet::Backward;
  using CpuNet::Forward;
  std::span<float> Forward(std::span<const float> parameters, const CpuInput& input,
                           ThreadTeam& team) override;
  void Backward(std::span<const float> parameters, const CpuInput& input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients,
                ThreadTeam& team) override;

  // After Backward: gradients by the numbers of the input [rows, numbers].
  void InputGradients(std::span<const float> parameters, std::span<float> input_gradients);

 private:
  // Rows know nothing of each other on their way forwards, and backwards to the inputs of each
  // layer; weights know nothing of each other when gradients are summed over the rows. So threads
  // share out the rows first, then the weights.
  void ForwardRows(std::span<const float> parameters, const CpuInput& input, Range rows);
  void TurnWeights(const float* parameters, int part, int parts);
  void BackwardRows(std::span<const float> output_gradients, Range rows);
  void WriteGradients(const CpuInput& input, std::span<const float> output_gradients, int part,
                      int parts, float* parameter_gradients);
  // By the bags' rows of weights: each is a sum over the rows of the batch that name it.
  void WriteBagGradients(Range indices, const float* by_outputs, float* weight_gradients);
  void ListNamingRows(const BagRows& bags, int64_t rows);
  // The first layer before its activation, but for the biases.
  void AddFirstLayer(std::span<const float> parameters, const CpuInput& input, Range rows,
                     float* to) const;
  // The part of the first layer that the numbers go through.
  LinearPart NumbersPart(const CpuInput& input) const;
  const float* ByOutputs(size_t layer, std::span<const float> output_gradients) const;

  std::vector<LinearPart> layers_;
  Activation activation_;
  std::vector<std::vector<float>> outputs_;     // of each layer
  std::vector<std::vector<float>> by_outputs_;  // gradients by those of each layer but the last
  std::vector<std::vector<float>> turned_;      // weights [out, in] of each layer but the first
  std::vector<int32_t> naming_rows_;  // rows of the batch that name index 0, then index 1, ...
  std::vector<int32_t> naming_end_;   // [bag width]: where those of an index end
  std::vector<uint8_t> is_named_;     // [bag width], by the last backward pass
};

}  // namespace dray
