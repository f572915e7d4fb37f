#include "src/learn/cpu/cpu_gradients.h"

#include <algorithm>
#include <numeric>

#include "src/base/error.h"
#include "src/nets/kernels.h"
#include "src/nets/make_cpu_net.h"

namespace dray {
namespace {

constexpr int64_t kLeastRows = 32;  // fewest rows of a loss worth a thread

// Returns some rows, in the tensor's own memory.
template <typename T>
std::span<const T> RowsOf(const at::Tensor& tensor, int64_t start, int64_t rows) {
  const int64_t width = tensor.numel() / tensor.size(0);
  const size_t size = rows * width;
  return {tensor.const_data_ptr<T>() + start * width, size};
}

template <typename T>
std::span<const T> RowsOf(const at::Tensor& tensor, const Minibatch& minibatch) {
  return RowsOf<T>(tensor, minibatch.start, minibatch.rows);
}

template <typename T>
std::span<const T> All(const at::Tensor& tensor) {
  const size_t size = tensor.numel();
  return {tensor.const_data_ptr<T>(), size};
}

CpuInput InputOf(const at::Tensor& numbers, const Bags& bags, int64_t start, int64_t rows,
                 const EnvSpec& spec) {
  CpuInput input{.rows = rows, .numbers = RowsOf<float>(numbers, start, rows)};
  if (bags.defined()) {
    input.bags = {.width = spec.bag.width,
                  .offsets = All<int32_t>(bags.offsets),
                  .indices = All<int32_t>(bags.indices),
                  .rows = RowsOf<int64_t>(bags.rows, start, rows)};
  }
  return input;
}

CpuInput InputOf(const Minibatch& minibatch, const EnvSpec& spec) {
  CpuInput input = InputOf(minibatch.samples.observations, minibatch.samples.bags, minibatch.start,
                           minibatch.rows, spec);
  input.sequence = minibatch.samples.sequence;
  return input;
}

std::span<float> MutableNumbers(const at::Tensor& tensor) {
  const size_t size = tensor.numel();
  return {tensor.mutable_data_ptr<float>(), size};
}

}  // namespace

CpuGradients::CpuGradients(ActorCritic& nets, ThreadTeam& team)
    : nets_(nets),
      team_(team),
      actor_(MakeCpuNet(nets.spec(), nets.config(), NetRole::kActor)),
      critic_(MakeCpuNet(nets.spec(), nets.config(), NetRole::kCritic)) {
  DRAY_CHECK(nets.parameters().is_cpu());
}

template <typename Body>
void CpuGradients::ForRows(int64_t rows, const Body& body) {
  const int parts = PartsOf(rows, kLeastRows, team_.threads());
  team_.For(parts, [&](int part) { body(PartOf(rows, part, parts, /*unit=*/1)); });
}

LossTerms CpuGradients::ContinuousLoss(const Minibatch& minibatch, std::span<const float> means,
                                       const PolicyRows& rows, const LossSettings& settings) {
  const auto log_std = All<float>(nets_.log_std());
  const auto actions = RowsOf<float>(minibatch.samples.actions, minibatch);
  log_std_terms_.resize(means.size());
  ForRows(minibatch.rows, [&](Range range) {
    GaussianLoss(range, means, log_std, actions, rows, settings, by_outputs_, log_std_terms_,
                 terms_);
  });
  const auto gradient = MutableNumbers(nets_.log_std_gradients());
  SumRows(log_std_terms_, gradient);
  const float entropy_coefficient = settings.entropy_coefficient;
  for (float& value : gradient) value -= entropy_coefficient;
  return MeanOf(terms_);
}

LossTerms CpuGradients::DiscreteLoss(const Minibatch& minibatch, std::span<const float> logits,
                                     const PolicyRows& rows, const LossSettings& settings) {
  const Samples& samples = minibatch.samples;
  const auto masks =
      samples.masks.defined() ? RowsOf<bool>(samples.masks, minibatch) : std::span<const bool>();
  const auto actions = RowsOf<int64_t>(samples.actions, minibatch);
  ForRows(minibatch.rows, [&](Range range) {
    CategoricalLoss(range, logits, masks, actions, rows, settings, by_outputs_, terms_);
    if (settings.appraisal_coefficient > 0) {
      AppraisalLoss(range, logits, masks, RowsOf<float>(samples.appraisals, minibatch), settings,
                    by_outputs_, terms_);
    }
  });
  return MeanOf(terms_);
}

LossTerms CpuGradients::Policy(const Minibatch& minibatch, const LossSettings& settings) {
  const Samples& samples = minibatch.samples;
  const CpuInput input = InputOf(minibatch, nets_.spec());
  const auto parameters = All<float>(nets_.actor());
  const auto outputs = actor_->Forward(parameters, input, team_);
  by_outputs_.resize(outputs.size());
  terms_.assign(minibatch.rows, {});

  PolicyRows rows{RowsOf<float>(samples.log_probs, minibatch),
                  RowsOf<float>(samples.advantages, minibatch)};
  if (settings.normalize_advantages) {
    advantages_.resize(rows.advantages.size());
    NormalizeAdvantages(rows.advantages, advantages_);
    rows.advantages = advantages_;
  }
  const LossTerms stats = nets_.log_std().defined()
                              ? ContinuousLoss(minibatch, outputs, rows, settings)
                              : DiscreteLoss(minibatch, outputs, rows, settings);
  actor_->Backward(parameters, input, by_outputs_, MutableNumbers(nets_.actor_gradients()), team_);
  return stats;
}

double CpuGradients::Value(const Minibatch& minibatch, const LossSettings& settings, double scale) {
  const Samples& samples = minibatch.samples;
  const CpuInput input = InputOf(minibatch, nets_.spec());
  const auto parameters = All<float>(nets_.critic());
  const auto values = critic_->Forward(parameters, input, team_);
  by_values_.resize(values.size());
  value_losses_.resize(values.size());
  const auto old_values = RowsOf<float>(samples.values, minibatch);
  const auto returns = RowsOf<float>(samples.returns, minibatch);
  ForRows(minibatch.rows, [&](Range range) {
    ValueLoss(range, values, old_values, returns, settings, scale, by_values_, value_losses_);
  });
  critic_->Backward(parameters, input, by_values_, MutableNumbers(nets_.critic_gradients()), team_);
  return std::accumulate(value_losses_.begin(), value_losses_.end(), 0.0) /
         static_cast<double>(minibatch.rows);
}

std::vector<float> CpuGradients::Values(const NetInput& input) {
  const CpuInput plain = InputOf(input.numbers, input.bags, 0, input.rows(), nets_.spec());
  const auto values = critic_->Forward(All<float>(nets_.critic()), plain, team_);
  return {values.begin(), values.end()};
}

}  // namespace dray
