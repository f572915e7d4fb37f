#include "src/learn/optimizer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/nets/kernels.h"
#include "src/nets/range.h"
#include "src/nets/tensor_bytes.h"

namespace dray {
namespace {

std::span<float> NumbersOf(const at::Tensor& tensor) {
  return {tensor.mutable_data_ptr<float>(), static_cast<size_t>(tensor.numel())};
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
      adam_(parameters_.is_cpu() ? static_cast<size_t>(parameters_.numel()) : 0, settings_) {
  if (parameters_.is_cpu()) return;
  first_moment_ = at::zeros_like(parameters_);
  second_moment_ = at::zeros_like(parameters_);
  step_ = at::zeros({}, parameters_.options());
}

double Optimizer::GradientNorm() {
  const std::span<const float> gradients = NumbersOf(gradients_);
  squares_.resize((gradients.size() + kStretch - 1) / kStretch);
  const int parts = team_->threads();
  team_->For(parts, [&](int part) {
    const Range range = PartOf(std::ssize(squares_), part, parts, /*unit=*/1);
    for (size_t i = range.first; i < static_cast<size_t>(range.first + range.count); ++i) {
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
  adam_.Step(learning_rate, NumbersOf(gradients_), NumbersOf(parameters_), scale, *team_);
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
  step_.add_(1);
  at::_fused_adam_({parameters_}, {scaled}, {first_moment_}, {second_moment_},
                   /*max_exp_avg_sqs=*/{}, {step_}, learning_rate, settings_.beta1, settings_.beta2,
                   /*weight_decay=*/0, settings_.epsilon, /*amsgrad=*/false, /*maximize=*/false,
                   /*grad_scale=*/{}, /*found_inf=*/norm.isfinite().logical_not().to(at::kFloat));
  return norm;
}

void Optimizer::Save(ByteWriter& out) const {
  if (parameters_.is_cpu()) return adam_.Save(out);
  out.Put(static_cast<int64_t>(step_.item<double>()));
  SaveTensor(out, first_moment_);
  SaveTensor(out, second_moment_);
}

void Optimizer::Load(ByteReader& in) {
  if (parameters_.is_cpu()) return adam_.Load(in);
  const auto steps = in.Get<int64_t>();
  if (!IsCount(steps)) throw Failure("an optimiser's saved state is damaged");
  step_.fill_(static_cast<double>(steps));
  LoadTensor(in, first_moment_);
  LoadTensor(in, second_moment_);
}

}  // namespace dray
