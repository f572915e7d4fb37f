#pragma once

#include <memory>
#include <vector>

#include "src/learn/device/kernel_arguments.h"
#include "src/learn/device/step_buffers.h"
#include "src/learn/gradient_signal.h"
#include "src/learn/steps.h"
#include "src/nets/actor_critic.h"
#include "src/nets/cuda_program.h"

namespace dray {

// How the rows of a minibatch are divided: `tile` rows at a time, in this many blocks per network.
struct Tiling {
  int64_t tile = 0;
  int64_t blocks = 0;
  int64_t weights = 0;       // numbers of shared memory for a layer's weights
  int64_t shared_bytes = 0;  // shared memory of a block
};

// Returns the tiling for two perceptrons with these layers, or none if not even the smallest tile
// fits into a block's shared memory.
Tiling TilingFor(const std::vector<int64_t>& actor, const std::vector<int64_t>& critic,
                 int64_t rows, int64_t most_shared_bytes);

// Computes the gradients of actor and critic, if both are small perceptrons, with two kernels
// (perceptron_kernels.h). The library would start about four kernels per layer, each of which takes
// longer to start than to run.
class PerceptronGradients {
 public:
  // Returns null if the networks are of another kind or too large. The arguments must outlive the
  // result.
  static std::unique_ptr<PerceptronGradients> Make(ActorCritic& nets, CudaProgram& program);

  // Writes the gradients of the next rows of the pass, and adds their losses to the buffers. With a
  // signal, also adds the actor's gradients to it, but not their squares.
  void Launch(Part part, int64_t rows, const StepSettings& settings, const StepBuffers& buffers,
              const GradientSignal* signal, const at::Tensor& optimizer_step);

  // The last launch's partial sums of squared gradients: of all, and of the actor's.
  const at::Tensor& squares() const { return squares_; }
  const at::Tensor& actor_squares() const { return actor_squares_; }

 private:
  PerceptronGradients(ActorCritic& nets, CudaProgram& program, std::vector<int64_t> actor,
                      std::vector<int64_t> critic);

  ActorCritic& nets_;
  CudaProgram& program_;
  std::vector<int64_t> actor_sizes_, critic_sizes_;
  at::Tensor actor_partial_, critic_partial_;  // gradients of every block
  at::Tensor terms_;                           // terms of the loss of every block of both networks
  at::Tensor squares_, actor_squares_;
};

}  // namespace dray
