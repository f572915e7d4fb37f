#include "src/learn/device/device_steps.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "src/nets/device_memory.h"

namespace dray {
namespace {

// Small steps that are launched at once: launching one takes as long as the step itself.
constexpr int kStepsAtOnce = 16;

// Returns observations with bags expanded to tables, [rows, bag width + numbers]: bags cannot be
// picked by row without asking the device for their lengths.
at::Tensor WrittenOut(const Samples& samples, int64_t bag_width) {
  if (!samples.bags.defined()) return samples.observations;
  const PickedBags bags(samples.bags);
  at::Tensor counts = at::zeros({samples.rows() * bag_width}, samples.observations.options());
  const at::Tensor places = bags.row_of * bag_width + bags.indices;
  counts.index_add_(0, places, at::ones_like(places, at::kFloat));
  return at::cat({counts.view({samples.rows(), bag_width}), samples.observations}, 1);
}

// Calls body for each pair of tensors of the same name, except bags.
template <typename Body>
void ForTensors(Samples& to, const Samples& from, const Body& body) {
  body(to.observations, from.observations);
  body(to.masks, from.masks);
  body(to.actions, from.actions);
  body(to.appraisals, from.appraisals);
  body(to.log_probs, from.log_probs);
  body(to.values, from.values);
  body(to.advantages, from.advantages);
  body(to.returns, from.returns);
}

}  // namespace

DeviceSteps::DeviceSteps(ActorCritic& nets)
    : nets_(nets),
      device_(nets.parameters().device()),
      gradients_(nets),
      splitting_(nets, std::make_unique<TorchGradients>(nets)),
      fused_(FusedStep::Make(nets)),
      actor_gradients_(nets.gradients().narrow(0, 0, nets.actor_parameter_count())),
      signal_(actor_gradients_) {
  const at::TensorOptions numbers = nets.parameters().options();
  buffers_.next = at::zeros({1}, numbers.dtype(at::kLong));
  buffers_.learning_rate = at::zeros({}, numbers);
  buffers_.moments = at::empty({0, 2}, numbers.dtype(at::kDouble));
  buffers_.sums = at::zeros({kStepSums}, numbers.dtype(at::kDouble));
  buffers_.ratio_error = at::zeros({}, numbers);
}

void DeviceSteps::Forget() {
  graphs_.clear();
  does_not_fit_.clear();
}

void DeviceSteps::BeginUpdate(const Samples& samples) {
  const c10::NoGradGuard no_grad;
  waiting_ = {};  // the previous update may have failed
  signal_.Clear();
  Samples dense = samples;
  dense.observations = WrittenOut(samples, nets_.spec().bag.width);
  dense.bags = {};
  buffers_.samples.sequence = samples.sequence;
  bool moved = false;
  ForTensors(buffers_.samples, dense, [&](at::Tensor& to, const at::Tensor& from) {
    if (from.defined() && (!to.defined() || to.sizes() != from.sizes())) {
      to = at::empty_like(from);
      moved = true;
    }
    if (from.defined()) to.copy_(from);
  });
  if (!moved) return;
  buffers_.order = at::arange(samples.rows(), buffers_.next.options());
  row_numbers_ = buffers_.order.clone();
  Forget();
}

void DeviceSteps::BeginPass(std::span<int64_t> order, int64_t minibatch) {
  LaunchWaiting();
  const at::Tensor here = at::from_blob(order.data(), {std::ssize(order)}, at::kLong);
  // A GPU fetches pinned memory when the steps before are done; nobody waits for it.
  buffers_.order.copy_(device_.is_cuda() ? here.pin_memory() : here, /*non_blocking=*/true);
  buffers_.next.zero_();
  next_on_host_ = 0;
  const int64_t minibatches = (std::ssize(order) + minibatch - 1) / minibatch;
  if (minibatch != buffers_.minibatch || minibatches != buffers_.moments.size(0)) {
    buffers_.minibatch = minibatch;
    buffers_.moments = at::empty({minibatches, 2}, buffers_.sums.options());
    Forget();
  }
  if (fused_) fused_->BeginPass(buffers_);
}

void DeviceSteps::Launch(Part part, int64_t rows, const StepSettings& settings,
                         Optimizer& optimizer) {
  if (fused_) return fused_->Launch(part, rows, settings, buffers_, optimizer, signal_);
  const Samples minibatch = buffers_.samples.Rows(
      buffers_.order.index_select(0, row_numbers_.narrow(0, 0, rows) + buffers_.next));
  buffers_.next.add_(rows);
  LossTensors policy;
  at::Tensor value;
  if (part != Part::kValue) policy = gradients_.StartPolicy(minibatch, settings.loss);
  if (part != Part::kPolicy && settings.value_scale > 0) {
    value = gradients_.StartValue(minibatch, settings.loss, settings.value_scale);
  }
  const at::Tensor norm = optimizer.StartStep(buffers_.learning_rate);
  // Last, so that running out of memory before leaves the sums as they were.
  const c10::NoGradGuard no_grad;
  if (policy.means.defined()) {
    buffers_.sums.narrow(0, 0, kMeanTerms).add_(policy.means);
    at::maximum_out(buffers_.ratio_error, buffers_.ratio_error, policy.ratio_error);
  }
  if (value.defined()) buffers_.sums.select(0, kValueLossSum).add_(value);
  buffers_.sums.select(0, kGradNormSum).add_(norm);
}

void DeviceSteps::Step(Part part, int64_t rows, const StepSettings& settings,
                       Optimizer& optimizer) {
  const bool same = waiting_.part == part && waiting_.rows == rows && waiting_.settings == settings;
  if (!same) {
    LaunchWaiting();
    waiting_ = {0, part, rows, settings, &optimizer};
  }
  if (settings.loss != recorded_loss_ || settings.value_scale != recorded_value_scale_) {
    Forget();
    recorded_loss_ = settings.loss;
    recorded_value_scale_ = settings.value_scale;
  }
  if (settings.learning_rate != last_learning_rate_) {
    buffers_.learning_rate.fill_(settings.learning_rate);
    last_learning_rate_ = settings.learning_rate;
  }
  if (fused_ && fused_->small_perceptrons()) {
    if (settings.adds_to_signal) signal_.CountAdded();
    if (++waiting_.steps == kStepsAtOnce) LaunchWaiting(kStepsAtOnce);
    return;
  }
  StepNow(part, rows, settings, optimizer);
  if (settings.adds_to_signal) signal_.Add(actor_gradients_);
}

void DeviceSteps::LaunchWaiting() {
  while (waiting_.steps > 0) LaunchWaiting(1);
}

void DeviceSteps::LaunchWaiting(int steps) {
  const GraphKey key(waiting_.part, waiting_.rows, waiting_.settings.adds_to_signal, steps);
  graphs_.try_emplace(key, device_).first->second.Run([&] {
    for (int i = 0; i < steps; ++i) {
      Launch(waiting_.part, waiting_.rows, waiting_.settings, *waiting_.optimizer);
    }
  });
  waiting_.steps -= steps;
}

void DeviceSteps::StepNow(Part part, int64_t rows, const StepSettings& settings,
                          Optimizer& optimizer) {
  const GraphKey key(part, rows, false, 1);
  if (!does_not_fit_[key]) {
    LaunchGraph& graph = graphs_.try_emplace(key, device_).first->second;
    if (FitsInMemory([&] { graph.Run([&] { Launch(part, rows, settings, optimizer); }); })) {
      next_on_host_ += rows;
      return;
    }
    does_not_fit_[key] = true;
    graphs_.erase(key);
  }
  StepInParts(part, rows, settings, optimizer);
}

void DeviceSteps::StepInParts(Part part, int64_t rows, const StepSettings& settings,
                              Optimizer& optimizer) {
  const Samples picked = buffers_.samples.Rows(buffers_.order.narrow(0, next_on_host_, rows));
  next_on_host_ += rows;
  buffers_.next.fill_(next_on_host_);
  const Minibatch minibatch{picked, 0, rows};
  if (part != Part::kValue) {
    sums_in_parts_.policy += splitting_.Policy(minibatch, settings.loss);
  }
  if (part != Part::kPolicy && settings.value_scale > 0) {
    sums_in_parts_.value_loss += splitting_.Value(minibatch, settings.loss, settings.value_scale);
  }
  sums_in_parts_.grad_norm += optimizer.Step(settings.learning_rate);
}

double DeviceSteps::TakeSignal() {
  LaunchWaiting();
  return signal_.TakeShare();
}

StepSums DeviceSteps::TakeSums() {
  LaunchWaiting();
  const at::Tensor sums = buffers_.sums.cpu();
  const auto* numbers = sums.const_data_ptr<double>();
  StepSums taken{.policy = TorchGradients::TermsOf(numbers, buffers_.ratio_error.item<double>()),
                 .value_loss = numbers[kValueLossSum],
                 .grad_norm = numbers[kGradNormSum]};
  buffers_.sums.zero_();
  buffers_.ratio_error.zero_();
  taken += std::exchange(sums_in_parts_, {});
  Optimizer::CheckFinite(taken.grad_norm);
  return taken;
}

}  // namespace dray
