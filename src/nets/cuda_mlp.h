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
  // The kernels for such a network on that device, shared by all networks there. Null where
  // CudaProgram is, and for networks that are large, of many layers, or without room for some rows
  // in the shared memory of a block.
  static CudaMlp* For(const std::vector<int64_t>& sizes, const c10::Device& device);

  // Number of rows that a block with `shared_bytes` of shared memory can work on at a time.
  static int64_t RowsThatFit(const std::vector<int64_t>& sizes, int64_t shared_bytes);

  // As Net::Differentiate; the parameters as Mlp has them.
  void Differentiate(const std::vector<int64_t>& sizes, Activation activation,
                     const at::Tensor& inputs, const at::Tensor& parameters,
                     const at::Tensor& gradients, const ByOutputs& by_outputs);

 private:
  static CudaMlp* On(const c10::Device& device);
  explicit CudaMlp(std::unique_ptr<CudaProgram> program) : program_(std::move(program)) {}

  std::unique_ptr<CudaProgram> program_;
};

}  // namespace dray
