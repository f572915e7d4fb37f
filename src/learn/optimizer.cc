#include "src/learn/optimizer.h"

#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <cmath>

#include "src/base/error.h"
#include "src/nets/tensor_bytes.h"

namespace dray {

Optimizer::Optimizer(at::Tensor parameters, at::Tensor gradients, const PpoConfig& config)
    : parameters_(std::move(parameters)),
      gradients_(std::move(gradients)),
      first_moment_(at::zeros_like(parameters_)),
      second_moment_(at::zeros_like(parameters_)),
      step_(at::zeros({}, parameters_.options())),
      beta1_(config.adam_beta1()),
      beta2_(config.adam_beta2()),
      epsilon_(config.adam_epsilon()),
      max_grad_norm_(config.max_grad_norm()) {}

double Optimizer::Step(double learning_rate) {
  const c10::NoGradGuard no_grad;
  const double norm = at::linalg_vector_norm(gradients_).item<double>();
  if (!std::isfinite(norm)) {
    throw Failure(
        "the gradient is not finite: the policy has diverged; lower ppo.learning_rate, or "
        "set ppo.max_grad_norm, and start again from an earlier checkpoint");
  }
  if (max_grad_norm_ > 0 && norm > max_grad_norm_) gradients_.mul_(max_grad_norm_ / (norm + 1e-6));
  step_.add_(1);
  at::_fused_adam_({parameters_}, {gradients_}, {first_moment_}, {second_moment_},
                   /*max_exp_avg_sqs=*/{}, {step_}, learning_rate, beta1_, beta2_,
                   /*weight_decay=*/0, epsilon_, /*amsgrad=*/false, /*maximize=*/false);
  return norm;
}

void Optimizer::Save(ByteWriter& out) const {
  for (const at::Tensor& tensor : {first_moment_, second_moment_, step_}) SaveTensor(out, tensor);
}

void Optimizer::Load(ByteReader& in) {
  for (const at::Tensor& tensor : {first_moment_, second_moment_, step_}) LoadTensor(in, tensor);
}

}  // namespace dray
