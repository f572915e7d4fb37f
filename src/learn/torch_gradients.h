#pragma once

#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"

namespace dray {

// What the losses of a minibatch came to, not yet brought over from the device.
struct LossTensors {
  at::Tensor means;        // [6]: loss, entropy, kl_k1, kl_k3, clip_fraction, appraisal_loss
  at::Tensor ratio_error;  // a single number
};

// By autograd from the losses in ppo_loss.h, on whatever device the networks live.
class TorchGradients : public Gradients {
 public:
  // The networks outlive this object.
  explicit TorchGradients(ActorCritic& nets) : nets_(nets) {}

  PolicyStats Policy(const Minibatch& minibatch, const LossSettings& settings) override;
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override;
  std::vector<float> Values(const NetInput& input) override;

  // The same of all rows of some samples, without waiting for the device.
  LossTensors StartPolicy(const Samples& samples, const LossSettings& settings);
  at::Tensor StartValue(const Samples& samples, const LossSettings& settings, double scale);

  // From numbers in the order of LossTensors.
  static PolicyStats StatsOf(const double* means, double ratio_error);

 private:
  ActorCritic& nets_;
};

}  // namespace dray
