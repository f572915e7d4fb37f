#include "src/learn/cpu_gradients.h"

#include "src/base/error.h"
#include "src/learn/cpu_loss.h"
#include "src/nets/make_cpu_net.h"

namespace dray {
namespace {

// The rows of a minibatch in a tensor's own memory.
template <typename T>
std::span<const T> RowsOf(const at::Tensor& tensor, const Minibatch& minibatch) {
  const int64_t width = tensor.numel() / tensor.size(0);
  return {tensor.const_data_ptr<T>() + minibatch.start * width,
          static_cast<size_t>(minibatch.rows * width)};
}

template <typename T>
std::span<const T> All(const at::Tensor& tensor) {
  return {tensor.const_data_ptr<T>(), static_cast<size_t>(tensor.numel())};
}

CpuInput InputOf(const Minibatch& minibatch, const EnvSpec& spec) {
  const Samples& samples = minibatch.samples;
  CpuInput input{.rows = minibatch.rows, .numbers = RowsOf<float>(samples.observations, minibatch)};
  if (samples.bags.defined()) {
    input.bags = {.width = spec.bag.width,
                  .offsets = All<int32_t>(samples.bags.offsets),
                  .indices = All<int32_t>(samples.bags.indices),
                  .rows = RowsOf<int64_t>(samples.bags.rows, minibatch)};
  }
  return input;
}

std::span<float> MutableNumbers(const at::Tensor& tensor) {
  return {tensor.mutable_data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

}  // namespace

CpuGradients::CpuGradients(ActorCritic& nets)
    : nets_(nets),
      actor_(MakeCpuNet(nets.spec(), nets.config(), NetRole::kActor)),
      critic_(MakeCpuNet(nets.spec(), nets.config(), NetRole::kCritic)) {
  DRAY_CHECK(nets.parameters().is_cpu());
}

PolicyStats CpuGradients::Policy(const Minibatch& minibatch, const LossSettings& settings) {
  const Samples& samples = minibatch.samples;
  const CpuInput input = InputOf(minibatch, nets_.spec());
  const auto parameters = All<float>(nets_.actor());
  const auto outputs = actor_->Forward(parameters, input);
  by_outputs_.resize(outputs.size());

  PolicyRows rows{RowsOf<float>(samples.log_probs, minibatch),
                  RowsOf<float>(samples.advantages, minibatch)};
  if (settings.normalize_advantages) {
    advantages_.resize(rows.advantages.size());
    NormalizeAdvantages(rows.advantages, advantages_);
    rows.advantages = advantages_;
  }
  PolicyStats stats;
  if (nets_.log_std().defined()) {
    stats = GaussianLoss(outputs, All<float>(nets_.log_std()),
                         RowsOf<float>(samples.actions, minibatch), rows, settings, by_outputs_,
                         MutableNumbers(nets_.log_std_gradients()));
  } else {
    const auto masks =
        samples.masks.defined() ? RowsOf<bool>(samples.masks, minibatch) : std::span<const bool>();
    stats = CategoricalLoss(outputs, masks, RowsOf<int64_t>(samples.actions, minibatch), rows,
                            settings, by_outputs_);
    if (settings.appraisal_coefficient > 0) {
      stats.appraisal_loss =
          CpuAppraisalLoss(outputs, masks, RowsOf<float>(samples.appraisals, minibatch),
                           minibatch.rows, settings, by_outputs_);
    }
  }
  actor_->Backward(parameters, input, by_outputs_, MutableNumbers(nets_.actor_gradients()));
  return stats;
}

double CpuGradients::Value(const Minibatch& minibatch, const LossSettings& settings, double scale) {
  const Samples& samples = minibatch.samples;
  const CpuInput input = InputOf(minibatch, nets_.spec());
  const auto parameters = All<float>(nets_.critic());
  const auto values = critic_->Forward(parameters, input);
  by_values_.resize(values.size());
  const double loss =
      CpuValueLoss(values, RowsOf<float>(samples.values, minibatch),
                   RowsOf<float>(samples.returns, minibatch), settings, scale, by_values_);
  critic_->Backward(parameters, input, by_values_, MutableNumbers(nets_.critic_gradients()));
  return loss;
}

}  // namespace dray
