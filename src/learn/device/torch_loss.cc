#include "src/learn/device/torch_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/max.h>
#include <ATen/ops/min.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/std_mean.h>
#include <c10/core/GradMode.h>

namespace dray {

TermTensors ClippedPolicyLoss(const at::Tensor& log_probs, const at::Tensor& old_log_probs,
                              const at::Tensor& advantages, double clip) {
  const at::Tensor log_ratio = log_probs - old_log_probs;
  const at::Tensor ratio = log_ratio.exp();
  const at::Tensor clipped = ratio.clamp(1 - clip, 1 + clip);
  TermTensors terms;
  // max(-A r, -A clip(r)) = -min(A r, A clip(r))
  terms[kPolicyLoss] = -at::min(advantages * ratio, advantages * clipped).mean();
  const c10::NoGradGuard no_grad;
  const at::Tensor distance = (ratio - 1).abs();
  terms[kClipFraction] = distance.gt(clip).to(at::kFloat).mean();
  terms[kRatioError] = distance.max();
  terms[kKlK1] = -log_ratio.mean();
  terms[kKlK3] = (ratio - 1 - log_ratio).mean();
  return terms;
}

at::Tensor AppraisalLoss(const at::Tensor& logits, const at::Tensor& masks,
                         const at::Tensor& appraisals, double temperature) {
  const at::Tensor allowed = masks.defined() ? masks.to(at::kFloat) : at::ones_like(logits);
  const at::Tensor count = allowed.sum(1, /*keepdim=*/true);
  const at::Tensor errors = (logits - appraisals / temperature) * allowed;
  const at::Tensor centred = (errors - errors.sum(1, /*keepdim=*/true) / count) * allowed;
  return 0.5 * (centred.square().sum(1, /*keepdim=*/true) / count).mean();
}

at::Tensor ValueLoss(const at::Tensor& values, const at::Tensor& old_values,
                     const at::Tensor& returns, double clip) {
  const at::Tensor error = (values - returns).square();
  if (clip <= 0) return 0.5 * error.mean();
  const at::Tensor clipped = old_values + (values - old_values).clamp(-clip, clip);
  return 0.5 * at::max(error, (clipped - returns).square()).mean();
}

at::Tensor NormalizedAdvantages(const at::Tensor& advantages) {
  if (advantages.numel() <= 1) return advantages;
  const auto [deviation, mean] = at::std_mean(advantages, /*unbiased=*/true);
  return (advantages - mean) / (deviation + 1e-8);
}

}  // namespace dray
