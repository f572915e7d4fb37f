#pragma once

#include <memory>

#include "src/learn/optimizer.h"
#include "src/learn/steps.h"
#include "src/nets/actor_critic.h"
#include "src/nets/cuda_program.h"
#include "src/nets/side_stream.h"

namespace dray {

// What steps read and add to, on the device.
struct StepBuffers {
  Samples samples;           // of the update, without bags
  at::Tensor order;          // int64 [rows]: of a pass
  at::Tensor next;           // int64 [1]: of `order`
  at::Tensor learning_rate;  // a single number
  at::Tensor sums;           // double [8]: means of LossTensors, value loss, norm
  at::Tensor ratio_error;    // a single number: the largest
};

// A step by a GPU's own kernels, of which one does what would be ten or twenty of the library's:
// rows are picked, losses and their gradients worked out, and norm and Adam taken, by one each. The
// losses are those of cpu_loss.h. Actor and critic learn side by side.
class FusedStep {
 public:
  // Null where there is no CUDA. The networks outlive it.
  static std::unique_ptr<FusedStep> Make(ActorCritic& nets);

  // The next rows of the pass.
  void Launch(Part part, int64_t rows, const StepSettings& settings, const StepBuffers& buffers,
              Optimizer& optimizer);

 private:
  FusedStep(ActorCritic& nets, std::unique_ptr<CudaProgram> program);

  // What the rows of a policy's minibatch add to sums.
  struct PolicyTerms {
    at::Tensor all;      // [7, rows]
    at::Tensor log_std;  // [rows, values], to its gradient; undefined without
  };

  Samples Pick(Part part, int64_t rows, const StepBuffers& buffers);
  PolicyTerms Policy(const Samples& minibatch, const LossSettings& settings);
  // Returns the loss.
  at::Tensor Value(const Samples& minibatch, const LossSettings& settings, double scale);
  void Sum(const PolicyTerms& terms, const LossSettings& settings, const StepBuffers& buffers);
  void Adam(int64_t rows, const at::Tensor& value_loss, const StepBuffers& buffers,
            const Optimizer::OnDevice& state);

  ActorCritic& nets_;
  std::unique_ptr<CudaProgram> program_;
  SideStream beside_;  // the critic's
};

}  // namespace dray
