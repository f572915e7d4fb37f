#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "src/env/env.h"
#include "src/nets/distributions.h"
#include "src/nets/net.h"
#include "src/nets/policy.h"

namespace dray {

// The actor and critic networks as the learner trains them. For continuous actions, the actor also
// has a state-independent log standard deviation. All parameters are one flat tensor: actor,
// log_std, critic (with a few unused zeros before it). The gradients have the same layout.
class ActorCritic {
 public:
  ActorCritic(const EnvSpec& spec, const NetworkConfig& config, Rng& rng, at::Device device);

  // Evaluates stored actions under the current policy: int64 [rows], or floats [rows, values].
  ActionStats Actions(const NetInput& input, const at::Tensor& masks,
                      const at::Tensor& actions) const;
  // [rows]
  at::Tensor Values(const NetInput& input) const;

  // Computes one network's gradients, overwriting them. The actor's outputs are [rows, outputs],
  // logits or means; the critic's are [rows, 1].
  void DifferentiateActor(const NetInput& input, const ByOutputs& by_outputs) {
    actor_net_->Differentiate(input, actor_, actor_.grad(), by_outputs);
  }
  void DifferentiateCritic(const NetInput& input, const ByOutputs& by_outputs) {
    critic_net_->Differentiate(input, critic_, critic_.grad(), by_outputs);
  }

  // Views into the flat tensors. actor(), log_std() and critic() are autograd leaves; what
  // backward() computes for them appears in the flat gradients.
  const at::Tensor& parameters() const { return parameters_; }
  const at::Tensor& gradients() const { return gradients_; }
  const at::Tensor& actor() const { return actor_; }
  const at::Tensor& critic() const { return critic_; }
  const at::Tensor& log_std() const { return log_std_; }  // undefined for discrete actions
  at::Tensor actor_gradients() const { return actor_.grad(); }
  at::Tensor critic_gradients() const { return critic_.grad(); }
  at::Tensor log_std_gradients() const { return log_std_.grad(); }
  void ZeroActorGradients();
  void ZeroCriticGradients();
  // Number of flat parameters before the critic's.
  int64_t actor_parameter_count() const;

  // The task and configuration that the networks were built for.
  const EnvSpec& spec() const { return spec_; }
  const NetworkConfig& config() const { return config_; }
  // Names and shapes as in PyTorch ("actor.0.weight" is [out, in]), in a fixed order.
  NamedTensors NamedParameters() const;

  PolicyWeights Publish(int64_t version, const ObservationScaling& scaling) const;

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  EnvSpec spec_;
  NetworkConfig config_;
  std::unique_ptr<Net> actor_net_;
  std::unique_ptr<Net> critic_net_;
  at::Tensor parameters_;
  at::Tensor gradients_;
  at::Tensor actor_;
  at::Tensor log_std_;
  at::Tensor critic_;
};

}  // namespace dray
