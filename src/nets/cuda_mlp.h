#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "src/config/config.pb.h"
#include "src/nets/cuda_program.h"
#include "src/nets/net.h"

namespace dray {

// Runs small perceptrons on a GPU with one kernel each for the forward and backward pass of all
// layers. The library would start about four kernels per layer, each of which takes longer to start
// than to run.
class CudaMlp {
 public:
  // Returns the kernels for such a network on that device, shared by all networks there. Null if
  // CudaProgram is null, or if the network is large, has many layers, or leaves no room for some
  // rows in a block's shared memory.
  static CudaMlp* For(const std::vector<int64_t>& sizes, const c10::Device& device);

  // Number of rows that a block with `shared_bytes` of shared memory can work on at a time.
  static int64_t RowsThatFit(const std::vector<int64_t>& sizes, int64_t shared_bytes);

  // Implements Net::Differentiate, with parameters laid out as in Mlp.
  void Differentiate(const std::vector<int64_t>& sizes, Activation activation,
                     const at::Tensor& inputs, const at::Tensor& parameters,
                     const at::Tensor& gradients, const ByOutputs& by_outputs);

 private:
  static CudaMlp* On(const c10::Device& device);
  explicit CudaMlp(std::unique_ptr<CudaProgram> program) : program_(std::move(program)) {}

  std::unique_ptr<CudaProgram> program_;
};

}  // namespace dray
