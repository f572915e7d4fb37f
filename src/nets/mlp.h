#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "src/base/rng.h"
#include "src/config/config.pb.h"
#include "src/nets/net.h"

namespace dray {

// A multi-layer perceptron. Its parameters are, layer after layer, weights [in, out] row by row,
// then biases [out].
class Mlp : public Net {
 public:
  // `sizes` lists the widths from input to output. The activation is applied between layers, not
  // after the last one.
  Mlp(std::vector<int64_t> sizes, Activation activation);

  int64_t parameter_count() const override { return parameter_count_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }

  // Uses gain sqrt(2) for hidden layers and `output_gain` for the last.
  at::Tensor Init(double output_gain, Rng& rng) const override;

  // Maps [rows, in] to [rows, out]. With bags, the first weights are those of their counts, which
  // are never materialised. Differentiable with respect to the parameters (not the input) as a
  // single node of the autograd graph, because for small networks dispatch costs more than
  // arithmetic.
  at::Tensor Forward(const NetInput& input, const at::Tensor& parameters) const override;

  // Implements the gradients without autograd.
  void Differentiate(const NetInput& input, const at::Tensor& parameters,
                     const at::Tensor& gradients, const ByOutputs& by_outputs) const override;

  NamedTensors Named(const at::Tensor& parameters) const override;

  struct Layer {
    at::Tensor weight;  // view into the flat tensor, [in, out]
    at::Tensor bias;    // view into the flat tensor, [out]
  };
  std::vector<Layer> Layers(const at::Tensor& parameters) const;

 private:
  std::vector<int64_t> sizes_;
  Activation activation_;
  int64_t parameter_count_ = 0;
};

}  // namespace dray
