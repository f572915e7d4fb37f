#include "src/learn/torch_gradients.h"

#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>

#include "src/learn/ppo_loss.h"
#include "src/nets/tensor_bytes.h"

namespace dray {

PolicyStats TorchGradients::Policy(const Minibatch& minibatch, const LossSettings& settings) {
  const Samples samples = minibatch.samples.Slice(minibatch.start, minibatch.rows);
  const ActionStats now = nets_.Actions(samples.input(), samples.masks, samples.actions);
  const at::Tensor advantages =
      settings.normalize_advantages ? NormalizedAdvantages(samples.advantages) : samples.advantages;
  const PolicyLoss policy =
      ClippedPolicyLoss(now.log_probs, samples.log_probs, advantages, settings.clip);
  const at::Tensor entropy = now.entropy.mean();
  at::Tensor loss =
      settings.policy_coefficient * policy.loss - settings.entropy_coefficient * entropy;
  PolicyStats stats;
  if (settings.appraisal_coefficient > 0) {
    const at::Tensor appraisal = AppraisalLoss(now.outputs, samples.masks, samples.appraisals,
                                               settings.appraisal_temperature);
    loss = loss + settings.appraisal_coefficient * appraisal;
    stats.appraisal_loss = appraisal.item<double>();
  }
  nets_.ZeroActorGradients();
  loss.backward();
  stats.loss = policy.loss.item<double>();
  stats.entropy = entropy.item<double>();
  stats.kl_k1 = policy.kl_k1.item<double>();
  stats.kl_k3 = policy.kl_k3.item<double>();
  stats.clip_fraction = policy.clip_fraction.item<double>();
  stats.ratio_error = policy.ratio_error.item<double>();
  return stats;
}

double TorchGradients::Value(const Minibatch& minibatch, const LossSettings& settings,
                             double scale) {
  const Samples samples = minibatch.samples.Slice(minibatch.start, minibatch.rows);
  const at::Tensor loss = ValueLoss(nets_.Values(samples.input()), samples.values, samples.returns,
                                    settings.clip_value ? settings.clip : 0);
  nets_.ZeroCriticGradients();
  (scale * loss).backward();
  return loss.item<double>();
}

std::vector<float> TorchGradients::Values(const NetInput& input) {
  const c10::NoGradGuard no_grad;
  return ToVector(nets_.Values(input));
}

}  // namespace dray
