#include "src/nets/distributions.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones_like.h>

#include <cmath>
#include <numbers>

namespace dray {
namespace {

// Far enough below any logit that its exponential is exactly 0, yet finite, so that 0 times it is
// 0.
constexpr double kForbidden = -1e8;

}  // namespace

ActionStats MaskedCategorical(const at::Tensor& logits, const at::Tensor& mask,
                              const at::Tensor& actions) {
  const at::Tensor allowed =
      mask.defined() ? logits.masked_fill(mask.logical_not(), kForbidden) : logits;
  const at::Tensor log_p = at::log_softmax(allowed, 1);
  return {log_p.gather(1, actions.unsqueeze(1)).squeeze(1), -(log_p.exp() * log_p).sum(1)};
}

ActionStats DiagonalGaussian(const at::Tensor& means, const at::Tensor& log_std,
                             const at::Tensor& actions) {
  const double half_log_two_pi = 0.5 * std::log(2.0 * std::numbers::pi);
  const at::Tensor z = (actions - means) * (-log_std).exp();
  const at::Tensor log_probs = (z.square() * -0.5 - log_std - half_log_two_pi).sum(1);
  const at::Tensor entropy = (log_std + half_log_two_pi + 0.5).sum();
  return {log_probs, entropy.expand({means.size(0)})};
}

}  // namespace dray
