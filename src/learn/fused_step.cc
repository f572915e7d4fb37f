#include "src/learn/fused_step.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <vector>

#include "src/learn/fused_step_source.h"

namespace dray {
namespace {

constexpr int64_t kThreads = 256;    // of a block
constexpr int64_t kRowsOfBlock = 4;  // of a loss: a warp each
constexpr int kTerms = 7;
constexpr int kPartials = 128;  // of a norm, at most kThreads
constexpr int64_t kMostBlocks = 1024;

// As the kernels declare them.
struct Column {
  const char* from = nullptr;
  char* to = nullptr;
  int64_t bytes = 0;
};
struct Columns {
  std::array<Column, 8> all;
  int count = 0;
};
struct PolicySettings {
  float clip;
  float policy_coefficient;
  float entropy_coefficient;
  float appraisal_coefficient;
  float appraisal_temperature;
  int normalize_advantages;
};

template <typename T>
const T* Read(const at::Tensor& tensor) {
  return tensor.defined() ? static_cast<const T*>(tensor.const_data_ptr()) : nullptr;
}
template <typename T>
T* Write(const at::Tensor& tensor) {
  return static_cast<T*>(tensor.mutable_data_ptr());
}

int64_t BlocksFor(int64_t rows) { return (rows + kRowsOfBlock - 1) / kRowsOfBlock; }

}  // namespace

FusedStep::FusedStep(ActorCritic& nets, std::unique_ptr<CudaProgram> program)
    : nets_(nets), program_(std::move(program)), beside_(nets.parameters().device()) {}

std::unique_ptr<FusedStep> FusedStep::Make(ActorCritic& nets) {
  auto program = CudaProgram::Make(kFusedStepSource, nets.parameters().device());
  if (!program) return nullptr;
  return std::unique_ptr<FusedStep>(new FusedStep(nets, std::move(program)));
}

Samples FusedStep::Pick(Part part, int64_t rows, const StepBuffers& buffers) {
  Samples picked;
  Columns columns;
  const auto pick = [&](const at::Tensor& from, at::Tensor& to) {
    if (!from.defined()) return;
    std::vector<int64_t> sizes = from.sizes().vec();
    sizes[0] = rows;
    to = at::empty(sizes, from.options());
    columns.all[columns.count++] = {Read<char>(from), Write<char>(to),
                                    static_cast<int64_t>(from.nbytes()) / from.size(0)};
  };
  const Samples& samples = buffers.samples;
  pick(samples.observations, picked.observations);
  if (part != Part::kValue) {
    pick(samples.masks, picked.masks);
    pick(samples.actions, picked.actions);
    pick(samples.appraisals, picked.appraisals);
    pick(samples.log_probs, picked.log_probs);
    pick(samples.advantages, picked.advantages);
  }
  if (part != Part::kPolicy) {
    pick(samples.values, picked.values);
    pick(samples.returns, picked.returns);
  }
  program_->Launch("PickRows", {rows, kThreads}, columns, Read<int64_t>(buffers.order),
                   Read<int64_t>(buffers.next));
  return picked;
}

FusedStep::PolicyTerms FusedStep::Policy(const Samples& minibatch, const LossSettings& settings) {
  const PolicySettings numbers{static_cast<float>(settings.clip),
                               static_cast<float>(settings.policy_coefficient),
                               static_cast<float>(settings.entropy_coefficient),
                               static_cast<float>(settings.appraisal_coefficient),
                               static_cast<float>(settings.appraisal_temperature),
                               settings.normalize_advantages};
  PolicyTerms terms;
  nets_.DifferentiateActor(minibatch.input(), [&](const at::Tensor& outputs) {
    const auto rows = static_cast<int>(outputs.size(0)), width = static_cast<int>(outputs.size(1));
    const CudaProgram::Shape shape{BlocksFor(rows), kRowsOfBlock * 32};
    const at::Tensor by_outputs = at::empty_like(outputs);
    terms.all = at::empty({kTerms, rows}, by_outputs.options());
    if (nets_.log_std().defined()) {
      terms.log_std = at::empty_like(by_outputs);
      program_->Launch("GaussianLoss", shape, rows, width, Read<float>(outputs),
                       Read<float>(nets_.log_std()), Read<float>(minibatch.actions),
                       Read<float>(minibatch.log_probs), Read<float>(minibatch.advantages), numbers,
                       Write<float>(by_outputs), Write<float>(terms.log_std),
                       Write<float>(terms.all));
    } else {
      program_->Launch(
          "CategoricalLoss", shape, rows, width, Read<float>(outputs),
          Read<unsigned char>(minibatch.masks), Read<int64_t>(minibatch.actions),
          Read<float>(minibatch.log_probs), Read<float>(minibatch.advantages),
          settings.appraisal_coefficient > 0 ? Read<float>(minibatch.appraisals) : nullptr, numbers,
          Write<float>(by_outputs), Write<float>(terms.all));
    }
    return by_outputs;
  });
  return terms;
}

at::Tensor FusedStep::Value(const Samples& minibatch, const LossSettings& settings, double scale) {
  const at::Tensor loss = at::empty({}, minibatch.returns.options().dtype(at::kDouble));
  nets_.DifferentiateCritic(minibatch.input(), [&](const at::Tensor& values) {
    const at::Tensor by_values = at::empty_like(values);
    program_->Launch("ValueLoss", {1, 1024}, static_cast<int>(values.size(0)), Read<float>(values),
                     Read<float>(minibatch.values), Read<float>(minibatch.returns),
                     static_cast<float>(settings.clip_value ? settings.clip : 0),
                     static_cast<float>(scale), Write<float>(by_values), Write<double>(loss));
    return by_values;
  });
  return loss;
}

void FusedStep::Sum(const PolicyTerms& terms, const LossSettings& settings,
                    const StepBuffers& buffers) {
  const bool spreads = terms.log_std.defined();
  const int width = spreads ? static_cast<int>(terms.log_std.size(1)) : 0;
  program_->Launch("SumTerms", {kTerms + width, kThreads}, static_cast<int>(terms.all.size(1)),
                   Read<float>(terms.all), Write<double>(buffers.sums),
                   Write<float>(buffers.ratio_error), width, Read<float>(terms.log_std),
                   static_cast<float>(settings.entropy_coefficient),
                   spreads ? Write<float>(nets_.log_std_gradients()) : nullptr);
}

void FusedStep::Adam(int64_t rows, const at::Tensor& value_loss, const StepBuffers& buffers,
                     const Optimizer::OnDevice& state) {
  const int64_t count = state.parameters.numel();
  const at::Tensor partial = at::empty({kPartials}, buffers.sums.options());
  program_->Launch("SumSquares", {kPartials, kThreads}, count, Read<float>(state.gradients),
                   Write<double>(partial), Write<float>(state.step));
  const int64_t blocks = std::min(kMostBlocks, (count + kThreads - 1) / kThreads);
  program_->Launch("AdamStep", {blocks, kThreads}, count, Read<float>(state.gradients),
                   Write<float>(state.parameters), Write<float>(state.first_moment),
                   Write<float>(state.second_moment), Read<double>(partial), kPartials,
                   static_cast<float>(state.max_grad_norm), Read<float>(buffers.learning_rate),
                   Read<float>(state.step), state.settings.beta1, state.settings.beta2,
                   state.settings.epsilon, Read<double>(value_loss), Write<double>(buffers.sums),
                   Write<int64_t>(buffers.next), rows);
}

void FusedStep::Launch(Part part, int64_t rows, const StepSettings& settings,
                       const StepBuffers& buffers, Optimizer& optimizer) {
  const Samples minibatch = Pick(part, rows, buffers);
  PolicyTerms terms;
  at::Tensor value_loss;
  const auto policy = [&] {
    if (part != Part::kValue) terms = Policy(minibatch, settings.loss);
  };
  if (part != Part::kPolicy && settings.value_scale > 0) {
    beside_.Run([&] { value_loss = Value(minibatch, settings.loss, settings.value_scale); },
                policy);
  } else {
    policy();
  }
  // Last: memory that runs out before leaves sums and counts as they were.
  const c10::NoGradGuard no_grad;
  if (terms.all.defined()) Sum(terms, settings.loss, buffers);
  Adam(rows, value_loss, buffers, optimizer.on_device());
}

}  // namespace dray
