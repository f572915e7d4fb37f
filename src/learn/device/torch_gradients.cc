#include "src/learn/device/torch_gradients.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "src/learn/device/torch_loss.h"
#include "src/nets/tensor_bytes.h"

namespace dray {

LossTensors TorchGradients::StartPolicy(const Samples& samples, const LossSettings& settings) {
  const ActionStats now = nets_.Actions(samples.input(), samples.masks, samples.actions);
  const at::Tensor advantages =
      settings.normalize_advantages ? NormalizedAdvantages(samples.advantages) : samples.advantages;
  TermTensors terms =
      ClippedPolicyLoss(now.log_probs, samples.log_probs, advantages, settings.clip);
  terms[kEntropy] = now.entropy.mean();
  at::Tensor loss = settings.policy_coefficient * terms[kPolicyLoss] -
                    settings.entropy_coefficient * terms[kEntropy];
  terms[kAppraisalLoss] = at::zeros_like(terms[kEntropy]);
  if (settings.appraisal_coefficient > 0) {
    terms[kAppraisalLoss] = AppraisalLoss(now.outputs, samples.masks, samples.appraisals,
                                          settings.appraisal_temperature);
    loss = loss + settings.appraisal_coefficient * terms[kAppraisalLoss];
  }
  nets_.ZeroActorGradients();
  loss.backward();
  const c10::NoGradGuard no_grad;
  return {at::stack(at::TensorList(terms).slice(0, kMeanTerms)), terms[kRatioError]};
}

at::Tensor TorchGradients::StartValue(const Samples& samples, const LossSettings& settings,
                                      double scale) {
  const at::Tensor loss = ValueLoss(nets_.Values(samples.input()), samples.values, samples.returns,
                                    settings.clip_value ? settings.clip : 0);
  nets_.ZeroCriticGradients();
  (scale * loss).backward();
  return loss.detach();
}

LossTerms TorchGradients::TermsOf(const double* means, double ratio_error) {
  LossTerms terms;
  std::copy_n(means, kMeanTerms, terms.of);
  terms.of[kRatioError] = ratio_error;
  return terms;
}

LossTerms TorchGradients::Policy(const Minibatch& minibatch, const LossSettings& settings) {
  const LossTensors tensors =
      StartPolicy(minibatch.samples.Slice(minibatch.start, minibatch.rows), settings);
  const at::Tensor means = tensors.means.to(at::kDouble).cpu();
  return TermsOf(means.const_data_ptr<double>(), tensors.ratio_error.item<double>());
}

double TorchGradients::Value(const Minibatch& minibatch, const LossSettings& settings,
                             double scale) {
  return StartValue(minibatch.samples.Slice(minibatch.start, minibatch.rows), settings, scale)
      .item<double>();
}

std::vector<float> TorchGradients::Values(const NetInput& input) {
  const c10::NoGradGuard no_grad;
  return ToVector(nets_.Values(input));
}

}  // namespace dray
