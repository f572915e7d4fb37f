#include "src/learn/device/fused_step.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <string>
#include <vector>

#include "src/learn/device/fused_step_source.h"
#include "src/learn/device/kernel_inputs.h"
#include "src/learn/loss_terms.h"

// The text of the headers, found by the assembler from the root of the repository.
__asm__(
    ".section .rodata\n"
    "dray_kernel_headers_begin:\n"
    ".incbin \"src/learn/loss_terms.h\"\n"
    ".incbin \"src/learn/device/kernel_arguments.h\"\n"
    ".incbin \"src/learn/device/row_loss.h\"\n"
    ".incbin \"src/learn/device/perceptron_kernels.h\"\n"
    "dray_kernel_headers_end:\n"
    ".previous\n");

extern "C" {
__attribute__((visibility("hidden"))) extern const char dray_kernel_headers_begin[];
__attribute__((visibility("hidden"))) extern const char dray_kernel_headers_end[];
}

namespace dray {
namespace {

constexpr int64_t kThreads = 256;       // threads of a block
constexpr int64_t kRowsOfBlock = 4;     // rows of a categorical loss: a warp each
constexpr int64_t kMostThreads = 1024;  // threads of a single block that sums alone
constexpr int64_t kPartials = 128;      // partial sums of a norm
constexpr int64_t kMostBlocks = 1024;
static_assert(kPartials <= kThreads, "each thread of AdamStep reads one partial sum");

std::string Source() {
  return std::string(dray_kernel_headers_begin, dray_kernel_headers_end) + kFusedStepSource;
}

}  // namespace

FusedStep::FusedStep(ActorCritic& nets, std::unique_ptr<CudaProgram> program)
    : nets_(nets),
      program_(std::move(program)),
      perceptrons_(PerceptronGradients::Make(nets, *program_)),
      beside_(nets.parameters().device()) {}

std::unique_ptr<FusedStep> FusedStep::Make(ActorCritic& nets) {
  auto program = CudaProgram::Make(Source(), nets.parameters().device());
  if (!program) return nullptr;
  return std::unique_ptr<FusedStep>(new FusedStep(nets, std::move(program)));
}

Samples FusedStep::Pick(Part part, int64_t rows, const StepBuffers& buffers) {
  Samples picked;
  picked.sequence = buffers.samples.sequence;
  Columns columns;
  const auto pick = [&](const at::Tensor& from, at::Tensor& to) {
    if (!from.defined()) return;
    std::vector<int64_t> sizes = from.sizes().vec();
    sizes[0] = rows;
    to = at::empty(sizes, from.options());
    const int64_t bytes = from.nbytes();
    columns.all[columns.count++] = {Read<char>(from), Write<char>(to), bytes / from.size(0)};
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

void FusedStep::BeginPass(const StepBuffers& buffers) {
  const int64_t rows = buffers.order.numel(), minibatches = buffers.moments.size(0);
  program_->Launch(
      "SumAdvantages", {minibatches, std::min(kMostThreads, BlocksFor(buffers.minibatch, 32) * 32)},
      rows, buffers.minibatch, Read<int64_t>(buffers.order),
      Read<float>(buffers.samples.advantages), Write<AdvantageMoments>(buffers.moments));
}

FusedStep::PolicyTerms FusedStep::Policy(const Samples& minibatch, const LossSettings& settings,
                                         const StepBuffers& buffers) {
  const PolicySettings numbers = PolicySettingsOf(settings);
  const PolicyData data = PolicyDataOf(minibatch, settings, buffers, nets_.log_std());
  PolicyTerms terms;
  nets_.DifferentiateActor(minibatch.input(), [&](const at::Tensor& outputs) {
    const int rows = outputs.size(0), width = outputs.size(1);
    const Place place = PlaceOf(rows, buffers);
    const at::Tensor by_outputs = at::empty_like(outputs);
    terms.all = at::empty({kLossTerms, rows}, by_outputs.options());
    if (nets_.log_std().defined()) {
      terms.log_std = at::empty_like(by_outputs);
      program_->Launch("GaussianLoss", {BlocksFor(rows, kThreads), kThreads}, place, width,
                       Write<float>(outputs), data, numbers, Write<float>(by_outputs),
                       Write<float>(terms.log_std), Write<float>(terms.all));
    } else {
      program_->Launch("CategoricalLoss", {BlocksFor(rows, kRowsOfBlock), kRowsOfBlock * 32}, place,
                       width, Write<float>(outputs), data, numbers, Write<float>(by_outputs),
                       Write<float>(terms.all));
    }
    return by_outputs;
  });
  return terms;
}

at::Tensor FusedStep::Value(const Samples& minibatch, const StepSettings& settings,
                            const StepBuffers& buffers) {
  const at::Tensor loss = at::empty({}, minibatch.returns.options().dtype(at::kDouble));
  nets_.DifferentiateCritic(minibatch.input(), [&](const at::Tensor& values) {
    const at::Tensor by_values = at::empty_like(values);
    program_->Launch("ValueLoss", {1, kMostThreads}, PlaceOf(values.size(0), buffers),
                     Read<float>(values), ValueDataOf(minibatch, settings), Write<float>(by_values),
                     Write<double>(loss));
    return by_values;
  });
  return loss;
}

void FusedStep::Sum(const PolicyTerms& terms, const LossSettings& settings,
                    const StepBuffers& buffers) {
  const bool spreads = terms.log_std.defined();
  const int rows = terms.all.size(1), width = spreads ? terms.log_std.size(1) : 0;
  const float entropy_coefficient = settings.entropy_coefficient;
  program_->Launch("SumTerms", {kLossTerms + width, kThreads}, rows, Read<float>(terms.all),
                   Write<double>(buffers.sums), Write<float>(buffers.ratio_error), width,
                   Read<float>(terms.log_std), entropy_coefficient,
                   spreads ? Write<float>(nets_.log_std_gradients()) : nullptr);
}

void FusedStep::Adam(int64_t rows, const at::Tensor& squares, const at::Tensor& value_loss,
                     const GradientSignal* signal, const StepBuffers& buffers,
                     const Optimizer::OnDevice& optimizer) {
  const int64_t count = optimizer.parameters.numel();
  const int64_t blocks = std::min(kMostBlocks, BlocksFor(count, kThreads));
  const int partials = squares.numel();
  const float max_grad_norm = optimizer.max_grad_norm;
  program_->Launch(
      "AdamStep", {blocks, kThreads}, count, Read<float>(optimizer.gradients),
      Write<float>(optimizer.parameters), Write<float>(optimizer.state.first_moment),
      Write<float>(optimizer.state.second_moment), Read<double>(squares), partials, max_grad_norm,
      Read<float>(buffers.learning_rate), Read<float>(optimizer.state.step),
      optimizer.settings.beta1, optimizer.settings.beta2, optimizer.settings.epsilon,
      Read<double>(value_loss), Write<double>(buffers.sums),
      signal ? Read<double>(perceptrons_->actor_squares()) : nullptr,
      signal ? Write<double>(signal->squares()) : nullptr, Write<int64_t>(buffers.next), rows);
}

void FusedStep::Launch(Part part, int64_t rows, const StepSettings& settings,
                       const StepBuffers& buffers, Optimizer& optimizer,
                       const GradientSignal& signal) {
  const Optimizer::OnDevice on_device = optimizer.on_device();
  if (!perceptrons_) return LaunchAny(part, rows, settings, buffers, on_device);
  const GradientSignal* adds = settings.adds_to_signal ? &signal : nullptr;
  perceptrons_->Launch(part, rows, settings, buffers, adds, on_device.state.step);
  Adam(rows, perceptrons_->squares(), /*value_loss=*/{}, adds, buffers, on_device);
}

void FusedStep::LaunchAny(Part part, int64_t rows, const StepSettings& settings,
                          const StepBuffers& buffers, const Optimizer::OnDevice& optimizer) {
  const Samples minibatch = Pick(part, rows, buffers);
  PolicyTerms terms;
  at::Tensor value_loss;
  const auto policy = [&] {
    if (part != Part::kValue) terms = Policy(minibatch, settings.loss, buffers);
  };
  if (part != Part::kPolicy && settings.value_scale > 0) {
    beside_.Run([&] { value_loss = Value(minibatch, settings, buffers); }, policy);
  } else {
    policy();
  }
  const at::Tensor squares = at::empty({kPartials}, buffers.sums.options());
  // Last, so that running out of memory before leaves sums and counts as they were.
  const c10::NoGradGuard no_grad;
  if (terms.all.defined()) Sum(terms, settings.loss, buffers);
  const int64_t count = optimizer.parameters.numel();
  program_->Launch("SumSquares", {kPartials, kThreads}, count, Read<float>(optimizer.gradients),
                   Write<double>(squares), Write<float>(optimizer.state.step));
  Adam(rows, squares, value_loss, /*signal=*/nullptr, buffers, optimizer);
}

}  // namespace dray
