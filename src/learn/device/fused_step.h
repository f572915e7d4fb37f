#pragma once

#include <memory>

#include "src/learn/optimizer.h"
#include "src/learn/steps.h"
#include "src/nets/actor_critic.h"
#include "src/nets/cuda_program.h"
#include "src/nets/side_stream.h"

namespace dray {

// Memory on the device that steps read and add to.
struct StepBuffers {
  Samples samples;           // all samples of the update, without bags
  at::Tensor order;          // int64 [rows]: row numbers in the order of the pass
  at::Tensor next;           // int64 [1]: position in `order`
  at::Tensor learning_rate;  // single number
  at::Tensor sums;           // double [kStepSums]
  at::Tensor ratio_error;    // single number, the largest so far
};

// Takes a step by CUDA kernels of its own, each of which replaces ten or twenty of the library's:
// one picks rows, one computes a loss with its gradient, one the norm, one Adam. The losses are
// those of loss_terms.h. Actor and critic learn concurrently.
class FusedStep {
 public:
  // Returns null without CUDA. The networks must outlive the result.
  static std::unique_ptr<FusedStep> Make(ActorCritic& nets);

  // Takes a step by the next rows of the pass.
  void Launch(Part part, int64_t rows, const StepSettings& settings, const StepBuffers& buffers,
              Optimizer& optimizer);

 private:
  FusedStep(ActorCritic& nets, std::unique_ptr<CudaProgram> program);

  struct PolicyTerms {
    at::Tensor all;  // [kLossTerms, rows]
    at::Tensor
        log_std;  // [rows, values]: addends of its gradient; undefined if actions are discrete
  };

  Samples Pick(Part part, int64_t rows, const StepBuffers& buffers);
  // Returns AdvantageMoments, undefined if advantages stay as they are.
  at::Tensor MomentsOf(const at::Tensor& advantages, const LossSettings& settings);
  PolicyTerms Policy(const Samples& minibatch, const LossSettings& settings);
  // Returns the mean loss.
  at::Tensor Value(const Samples& minibatch, const LossSettings& settings, double scale);
  void Sum(const PolicyTerms& terms, const LossSettings& settings, const StepBuffers& buffers);
  void Adam(int64_t rows, const at::Tensor& value_loss, const StepBuffers& buffers,
            const Optimizer::OnDevice& optimizer);

  ActorCritic& nets_;
  std::unique_ptr<CudaProgram> program_;
  SideStream beside_;  // stream of the critic
};

}  // namespace dray
