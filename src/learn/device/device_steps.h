#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "src/learn/device/fused_step.h"
#include "src/learn/device/splitting_gradients.h"
#include "src/learn/device/torch_gradients.h"
#include "src/learn/steps.h"
#include "src/nets/launch_graph.h"

namespace dray {

// Steps that a GPU takes without returning to the host: the update's samples lie in its memory, a
// step is one launch that picks its rows there, and losses are summed there. A minibatch that does
// not fit into memory is computed in parts, with the host between them.
//
// This folder, in order: torch_loss.h and torch_gradients.h compute losses as tensor operations on
// any device; splitting_gradients.h does so in parts; fused_step.h replaces both on CUDA by kernels
// that share loss_terms.h with the CPU, for small perceptrons by perceptron_gradients.h; this class
// chooses among them.
class DeviceSteps : public Steps {
 public:
  // The networks must outlive this object.
  explicit DeviceSteps(ActorCritic& nets);

  void BeginUpdate(const Samples& samples) override;
  void BeginPass(std::span<int64_t> order, int64_t minibatch) override;
  void Step(Part part, int64_t rows, const StepSettings& settings, Optimizer& optimizer) override;
  StepSums TakeSums() override;
  double TakeSignal() override;
  std::vector<float> Values(const NetInput& input) override { return splitting_.Values(input); }
  int64_t splits() const override { return splitting_.splits(); }
  int threads() const override { return 1; }

 private:
  // A kind of step: the part and rows, whether it adds to the signal, and how many are launched at
  // once.
  using GraphKey = std::tuple<Part, int64_t, bool, int>;

  // Launches a step, which reads nothing but the buffers below and so can be recorded.
  void Launch(Part part, int64_t rows, const StepSettings& settings, Optimizer& optimizer);
  void StepNow(Part part, int64_t rows, const StepSettings& settings, Optimizer& optimizer);
  void StepInParts(Part part, int64_t rows, const StepSettings& settings, Optimizer& optimizer);
  // Launches the steps that wait to be launched together.
  void LaunchWaiting();
  void LaunchWaiting(int steps);
  void Forget();  // drops recorded launches

  ActorCritic& nets_;
  at::Device device_;
  TorchGradients gradients_;
  SplittingGradients splitting_;
  std::unique_ptr<FusedStep> fused_;  // null if this device has none
  at::Tensor actor_gradients_;
  GradientSignal signal_;
  StepBuffers buffers_;  // stay in place from update to update
  at::Tensor row_numbers_;
  StepSums sums_in_parts_;
  LossSettings recorded_loss_;
  double recorded_value_scale_ = 0;
  double last_learning_rate_ = -1;
  int64_t next_on_host_ = 0;
  // Steps of one kind that wait to be launched together.
  struct Waiting {
    int steps = 0;
    Part part = Part::kPolicyAndValue;
    int64_t rows = 0;
    StepSettings settings;
    Optimizer* optimizer = nullptr;
  } waiting_;
  std::map<GraphKey, LaunchGraph> graphs_;
  std::map<GraphKey, bool> does_not_fit_;
};

}  // namespace dray
