#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "src/config/config.pb.h"
#include "src/nets/cuda_program.h"
#include "src/nets/net.h"

namespace dray {

// Small perceptrons on a GPU: forward and backward are a kernel each for all layers together, where
// the library starts some four for every layer, each of which takes longer to start than to run.
class CudaMlp {
 public:
  // One for all perceptrons on that device; null where CudaProgram is.
  static CudaMlp* On(const c10::Device& device);

  // Whether it takes such a network: small, and of few layers.
  static bool Takes(const std::vector<int64_t>& sizes);

  // As Net::Differentiate; the parameters as Mlp has them.
  void Differentiate(const std::vector<int64_t>& sizes, Activation activation,
                     const at::Tensor& inputs, const at::Tensor& parameters,
                     const at::Tensor& gradients, const ByOutputs& by_outputs);

 private:
  explicit CudaMlp(std::unique_ptr<CudaProgram> program) : program_(std::move(program)) {}

  std::unique_ptr<CudaProgram> program_;
};

}  // namespace dray
