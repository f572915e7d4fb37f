#pragma once

#include <memory>

#include "src/learn/device/perceptron_gradients.h"
#include "src/learn/device/step_buffers.h"
#include "src/learn/gradient_signal.h"
#include "src/learn/optimizer.h"
#include "src/learn/steps.h"
#include "src/nets/actor_critic.h"
#include "src/nets/cuda_program.h"
#include "src/nets/side_stream.h"

namespace dray {

// Takes a step by CUDA kernels of its own, each of which replaces ten or twenty of the library's.
// Small perceptrons take three: gradients, their sum, Adam. Of other networks, one picks rows, one
// computes a loss with its gradient, one the norm, one Adam, and the library does the rest; actor
// and critic learn concurrently. The losses are those of loss_terms.h.
class FusedStep {
 public:
  // Returns null without CUDA. The networks must outlive the result.
  static std::unique_ptr<FusedStep> Make(ActorCritic& nets);

  // Computes the moments of every minibatch of a pass.
  void BeginPass(const StepBuffers& buffers);
  // Takes a step by the next rows of the pass. Adds to the sums of the signal if the networks are
  // small perceptrons; otherwise the caller does.
  void Launch(Part part, int64_t rows, const StepSettings& settings, const StepBuffers& buffers,
              Optimizer& optimizer, const GradientSignal& signal);
  // Small perceptrons: a step allocates no memory, so it cannot fail for lack of it.
  bool small_perceptrons() const { return perceptrons_ != nullptr; }

 private:
  FusedStep(ActorCritic& nets, std::unique_ptr<CudaProgram> program);

  struct PolicyTerms {
    at::Tensor all;  // [kLossTerms, rows]
    at::Tensor
        log_std;  // [rows, values]: addends of its gradient; undefined if actions are discrete
  };

  // A step of networks that the library differentiates.
  void LaunchAny(Part part, int64_t rows, const StepSettings& settings, const StepBuffers& buffers,
                 const Optimizer::OnDevice& optimizer);
  Samples Pick(Part part, int64_t rows, const StepBuffers& buffers);
  PolicyTerms Policy(const Samples& minibatch, const LossSettings& settings,
                     const StepBuffers& buffers);
  // Returns the mean loss.
  at::Tensor Value(const Samples& minibatch, const StepSettings& settings,
                   const StepBuffers& buffers);
  void Sum(const PolicyTerms& terms, const LossSettings& settings, const StepBuffers& buffers);
  // `squares`: partial sums of squared gradients.
  void Adam(int64_t rows, const at::Tensor& squares, const at::Tensor& value_loss,
            const GradientSignal* signal, const StepBuffers& buffers,
            const Optimizer::OnDevice& optimizer);

  ActorCritic& nets_;
  std::unique_ptr<CudaProgram> program_;
  std::unique_ptr<PerceptronGradients> perceptrons_;  // null if the networks are not small ones
  SideStream beside_;                                 // stream of the critic
};

}  // namespace dray
