#include "src/learn/torch_gradients.h"

#include <ATen/TensorOperators.h>

#include "src/learn/ppo_loss.h"

namespace dray {

PolicyStats TorchGradients::Policy(const Minibatch& minibatch, const LossSettings& settings) {
  const Samples samples = minibatch.samples.Slice(minibatch.start, minibatch.rows);
  const ActionStats now = nets_.Actions(samples.input(), samples.masks, samples.actions);
  const at::Tensor advantages =
      settings.normalize_advantages ? NormalizedAdvantages(samples.advantages) : samples.advantages;
  const PolicyLoss policy =
      ClippedPolicyLoss(now.log_probs, samples.log_probs, advantages, settings.clip);
  const at::Tensor entropy = now.entropy.mean();
  nets_.ZeroActorGradients();
  (policy.loss - settings.entropy_coefficient * entropy).backward();
  return {policy.loss.item<double>(),          entropy.item<double>(),
          policy.kl_k1.item<double>(),         policy.kl_k3.item<double>(),
          policy.clip_fraction.item<double>(), policy.ratio_error.item<double>()};
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

}  // namespace dray
