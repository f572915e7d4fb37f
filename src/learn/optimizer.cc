#include "src/learn/optimizer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include "src/nets/tensor_bytes.h"

namespace dray {

Optimizer::Optimizer(std::vector<at::Tensor> parameters, const PpoConfig& config)
    : parameters_(std::move(parameters)),
      beta1_(config.adam_beta1()),
      beta2_(config.adam_beta2()),
      epsilon_(config.adam_epsilon()),
      max_grad_norm_(config.max_grad_norm()) {
  for (const at::Tensor& parameter : parameters_) {
    first_moments_.push_back(at::zeros_like(parameter.detach()));
    second_moments_.push_back(at::zeros_like(parameter.detach()));
    steps_.push_back(at::zeros({}, parameter.options().requires_grad(false)));
  }
}

void Optimizer::ZeroGrad() {
  for (at::Tensor& parameter : parameters_) parameter.mutable_grad() = at::Tensor();
}

at::Tensor Optimizer::Step(double learning_rate) {
  const c10::NoGradGuard no_grad;
  std::vector<at::Tensor> gradients, norms;
  for (const at::Tensor& parameter : parameters_) {
    gradients.push_back(parameter.grad());
    norms.push_back(at::linalg_vector_norm(gradients.back()));
  }
  const at::Tensor norm = norms.size() == 1 ? norms[0] : at::linalg_vector_norm(at::stack(norms));
  if (max_grad_norm_ > 0) {
    const at::Tensor scale = (max_grad_norm_ / (norm + 1e-6)).clamp_max(1.0);
    for (at::Tensor& gradient : gradients) gradient.mul_(scale);
  }
  for (at::Tensor& step : steps_) step.add_(1);
  at::_fused_adam_(parameters_, gradients, first_moments_, second_moments_, /*max_exp_avg_sqs=*/{},
                   steps_, learning_rate, beta1_, beta2_, /*weight_decay=*/0, epsilon_,
                   /*amsgrad=*/false, /*maximize=*/false);
  return norm;
}

void Optimizer::Save(ByteWriter& out) const {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    SaveTensor(out, first_moments_[i]);
    SaveTensor(out, second_moments_[i]);
    SaveTensor(out, steps_[i]);
  }
}

void Optimizer::Load(ByteReader& in) {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    LoadTensor(in, first_moments_[i]);
    LoadTensor(in, second_moments_[i]);
    LoadTensor(in, steps_[i]);
  }
}

}  // namespace dray
