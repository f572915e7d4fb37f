#pragma once

#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"

namespace dray {

// Terms of a minibatch's loss, still on the device.
struct LossTensors {
  at::Tensor means;        // [kMeanTerms]
  at::Tensor ratio_error;  // single number
};

// Differentiates the losses of torch_loss.h by autograd, on the networks' device.
class TorchGradients : public Gradients {
 public:
  // The networks must outlive this object.
  explicit TorchGradients(ActorCritic& nets) : nets_(nets) {}

  LossTerms Policy(const Minibatch& minibatch, const LossSettings& settings) override;
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override;
  std::vector<float> Values(const NetInput& input) override;

  // Do the same for all rows of some samples, without waiting for the device.
  LossTensors StartPolicy(const Samples& samples, const LossSettings& settings);
  at::Tensor StartValue(const Samples& samples, const LossSettings& settings, double scale);

  // Converts numbers in the order of LossTensors.
  static LossTerms TermsOf(const double* means, double ratio_error);

 private:
  ActorCritic& nets_;
};

}  // namespace dray
