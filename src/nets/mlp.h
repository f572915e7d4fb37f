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
  // `sizes` runs from the input to the output; the activation stands between layers, not after the
  // last.
  Mlp(std::vector<int64_t> sizes, Activation activation);

  int64_t parameter_count() const override { return parameter_count_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }

  // Gain sqrt(2) for hidden layers, `output_gain` for the last.
  at::Tensor Init(double output_gain, Rng& rng) const override;

  // [rows, in] -> [rows, out]; with bags, the first weights are those of their counts, which are
  // never made. Differentiable with respect to the parameters (not the input), as a
  // single node of the autograd graph: small networks cost dispatch, not arithmetic.
  at::Tensor Forward(const NetInput& input, const at::Tensor& parameters) const override;

  // By hand, without autograd; small ones on a GPU by kernels of their own.
  void Differentiate(const NetInput& input, const at::Tensor& parameters,
                     const at::Tensor& gradients, const ByOutputs& by_outputs) const override;

  NamedTensors Named(const at::Tensor& parameters) const override;

  struct Layer {
    at::Tensor weight;  // [in, out], a view into the flat tensor
    at::Tensor bias;    // [out], likewise
  };
  std::vector<Layer> Layers(const at::Tensor& parameters) const;

 private:
  std::vector<int64_t> sizes_;
  Activation activation_;
  int64_t parameter_count_ = 0;
};

}  // namespace dray
