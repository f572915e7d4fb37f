#include "src/learn/optimizer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/nets/kernels.h"
#include "src/nets/range.h"
#include "src/nets/tensor_bytes.h"

namespace dray {
namespace {

std::span<float> NumbersOf(const at::Tensor& tensor) {
  const size_t size = tensor.numel();
  return {tensor.mutable_data_ptr<float>(), size};
}

}  // namespace

GradientNotFinite::GradientNotFinite()
    : Error(Kind::kFailure,
            "the gradient is not finite: the policy has diverged; lower ppo.learning_rate, or "
            "set ppo.max_grad_norm, and start again from an earlier checkpoint") {}

Optimizer::Optimizer(at::Tensor parameters, at::Tensor gradients, const PpoConfig& config,
                     ThreadTeam& team)
    : parameters_(std::move(parameters)),
      gradients_(std::move(gradients)),
      settings_{config.adam_beta1(), config.adam_beta2(), config.adam_epsilon()},
      max_grad_norm_(config.max_grad_norm()),
      team_(&team),
      state_{.adam = Adam(parameters_.is_cpu() ? parameters_.numel() : 0, settings_)} {
  if (parameters_.is_cpu()) return;
  state_.first_moment = at::zeros_like(parameters_);
  state_.second_moment = at::zeros_like(parameters_);
  state_.step = at::zeros({}, parameters_.options());
}

double Optimizer::GradientNorm() {
  const std::span<const float> gradients = NumbersOf(gradients_);
  squares_.resize((gradients.size() + kStretch - 1) / kStretch);
  const int parts = team_->threads();
  team_->For(parts, [&](int part) {
    const Range range = PartOf(std::ssize(squares_), part, parts, /*unit=*/1);
    for (int64_t i = range.first; i < range.first + range.count; ++i) {
      const size_t start = i * kStretch;
      squares_[i] =
          SumSquares(gradients.subspan(start, std::min(kStretch, gradients.size() - start)));
    }
  });
  return std::sqrt(std::accumulate(squares_.begin(), squares_.end(), 0.0));
}

void Optimizer::CheckFinite(double norm) {
  if (std::isfinite(norm)) return;
  throw GradientNotFinite();
}

double Optimizer::Step(double learning_rate) {
  if (!parameters_.is_cpu()) {
    const double norm =
        StartStep(at::full({}, learning_rate, parameters_.options())).item<double>();
    CheckFinite(norm);
    return norm;
  }
  const double norm = GradientNorm();
  CheckFinite(norm);
  const double scale =
      max_grad_norm_ > 0 && norm > max_grad_norm_ ? max_grad_norm_ / (norm + 1e-6) : 1;
  state_.adam.Step(learning_rate, NumbersOf(gradients_), NumbersOf(parameters_), scale, *team_);
  return norm;
}

at::Tensor Optimizer::StartStep(const at::Tensor& learning_rate) {
  const c10::NoGradGuard no_grad;
  if (parameters_.is_cpu()) {
    return at::full({}, Step(learning_rate.item<double>()), parameters_.options());
  }
  const at::Tensor norm = at::linalg_vector_norm(gradients_);
  const at::Tensor scaled =
      max_grad_norm_ > 0
          ? gradients_ * at::where(norm > max_grad_norm_, max_grad_norm_ / (norm + 1e-6), 1.0)
          : gradients_;
  state_.step.add_(1);
  at::_fused_adam_({parameters_}, {scaled}, {state_.first_moment}, {state_.second_moment},
                   /*max_exp_avg_sqs=*/{}, {state_.step}, learning_rate, settings_.beta1,
                   settings_.beta2,
                   /*weight_decay=*/0, settings_.epsilon, /*amsgrad=*/false, /*maximize=*/false,
                   /*grad_scale=*/{}, /*found_inf=*/norm.isfinite().logical_not().to(at::kFloat));
  return norm;
}

void Optimizer::Save(ByteWriter& out) const {
  if (parameters_.is_cpu()) return state_.adam.Save(out);
  out.Put<int64_t>(state_.step.item<double>());
  SaveTensor(out, state_.first_moment);
  SaveTensor(out, state_.second_moment);
}

Optimizer::State Optimizer::Read(ByteReader& in) const {
  State read{.adam = state_.adam};
  if (parameters_.is_cpu()) {
    read.adam.Load(in);
    return read;
  }
  const auto steps = in.Get<int64_t>();
  if (!IsCount(steps)) throw Failure("an optimiser's saved state is damaged: ", steps, " steps");
  read.step = at::full({}, steps, state_.step.options());
  read.first_moment = at::empty_like(state_.first_moment);
  read.second_moment = at::empty_like(state_.second_moment);
  LoadTensor(in, read.first_moment);
  LoadTensor(in, read.second_moment);
  return read;
}

void Optimizer::Restore(State state) {
  state_.adam = std::move(state.adam);
  if (parameters_.is_cpu()) return;
  // In place: recorded launches refer to this memory.
  state_.step.copy_(state.step);
  state_.first_moment.copy_(state.first_moment);
  state_.second_moment.copy_(state.second_moment);
}

}  // namespace dray
