#pragma once

#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"

namespace dray {

// By autograd from the losses in ppo_loss.h, on whatever device the networks live.
class TorchGradients : public Gradients {
 public:
  // The networks outlive this object.
  explicit TorchGradients(ActorCritic& nets) : nets_(nets) {}

  PolicyStats Policy(const Minibatch& minibatch, const LossSettings& settings) override;
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override;
  std::vector<float> Values(const NetInput& input) override;

 private:
  ActorCritic& nets_;
};

}  // namespace dray
