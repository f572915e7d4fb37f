#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/rng.h"
#include "src/nets/net_input.h"

namespace dray {

// Returns the gradient of a loss with respect to a network's outputs, given the outputs.
using ByOutputs = std::function<at::Tensor(const at::Tensor& outputs)>;

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// A network whose parameters all live in one flat tensor owned by the caller. One tensor means one
// gradient, one optimiser step and one copy to publish, instead of one per layer. Each kind has a
// counterpart on plain memory (cpu_net.h) with the same parameters in the same order.
class Net {
 public:
  virtual ~Net() = default;

  virtual int64_t parameter_count() const = 0;
  // Initialises orthogonal weights and zero biases; `output_gain` scales the last layer's.
  virtual at::Tensor Init(double output_gain, Rng& rng) const = 0;
  // Returns the outputs [rows, outputs], differentiable with respect to the parameters.
  virtual at::Tensor Forward(const NetInput& input, const at::Tensor& parameters) const = 0;
  // Calls `by_outputs` with the outputs to get their gradient, and overwrites `gradients`, which
  // are those of the leaf `parameters`.
  virtual void Differentiate(const NetInput& input, const at::Tensor& parameters,
                             const at::Tensor& gradients, const ByOutputs& by_outputs) const;
  // Views with names and shapes as in PyTorch ("0.weight" is [out, in]), in a fixed order.
  virtual NamedTensors Named(const at::Tensor& parameters) const = 0;
};

}  // namespace dray
