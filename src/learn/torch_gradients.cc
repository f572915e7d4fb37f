#include "src/learn/torch_gradients.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include "src/learn/ppo_loss.h"
#include "src/nets/tensor_bytes.h"

namespace dray {

LossTensors TorchGradients::StartPolicy(const Samples& samples, const LossSettings& settings) {
  const ActionStats now = nets_.Actions(samples.input(), samples.masks, samples.actions);
  const at::Tensor advantages =
      settings.normalize_advantages ? NormalizedAdvantages(samples.advantages) : samples.advantages;
  const PolicyLoss policy =
      ClippedPolicyLoss(now.log_probs, samples.log_probs, advantages, settings.clip);
  const at::Tensor entropy = now.entropy.mean();
  at::Tensor loss =
      settings.policy_coefficient * policy.loss - settings.entropy_coefficient * entropy;
  at::Tensor appraisal = at::zeros_like(entropy);
  if (settings.appraisal_coefficient > 0) {
    appraisal = AppraisalLoss(now.outputs, samples.masks, samples.appraisals,
                              settings.appraisal_temperature);
    loss = loss + settings.appraisal_coefficient * appraisal;
  }
  nets_.ZeroActorGradients();
  loss.backward();
  const c10::NoGradGuard no_grad;
  return {at::stack(
              {policy.loss, entropy, policy.kl_k1, policy.kl_k3, policy.clip_fraction, appraisal}),
          policy.ratio_error};
}

at::Tensor TorchGradients::StartValue(const Samples& samples, const LossSettings& settings,
                                      double scale) {
  const at::Tensor loss = ValueLoss(nets_.Values(samples.input()), samples.values, samples.returns,
                                    settings.clip_value ? settings.clip : 0);
  nets_.ZeroCriticGradients();
  (scale * loss).backward();
  return loss.detach();
}

PolicyStats TorchGradients::StatsOf(const double* means, double ratio_error) {
  return {.loss = means[0],
          .entropy = means[1],
          .kl_k1 = means[2],
          .kl_k3 = means[3],
          .clip_fraction = means[4],
          .appraisal_loss = means[5],
          .ratio_error = ratio_error};
}

PolicyStats TorchGradients::Policy(const Minibatch& minibatch, const LossSettings& settings) {
  const LossTensors tensors =
      StartPolicy(minibatch.samples.Slice(minibatch.start, minibatch.rows), settings);
  const at::Tensor means = tensors.means.to(at::kDouble).cpu();
  return StatsOf(means.const_data_ptr<double>(), tensors.ratio_error.item<double>());
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
