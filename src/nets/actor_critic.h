#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "src/envs/env.h"
#include "src/nets/distributions.h"
#include "src/nets/mlp.h"
#include "src/nets/policy.h"

namespace dray {

// The learning side of actor and critic: two separate networks, and for continuous actions a
// state-independent logarithm of the standard deviation that belongs to the actor.
class ActorCritic {
 public:
  ActorCritic(const EnvSpec& spec, const NetworkConfig& config, Rng& rng, at::Device device);

  // How the present policy sees stored actions: int64 [rows], or floats [rows, values].
  ActionStats Actions(const at::Tensor& observations, const at::Tensor& masks,
                      const at::Tensor& actions) const;
  // [rows]
  at::Tensor Values(const at::Tensor& observations) const;

  std::vector<at::Tensor> ActorParameters() const;
  std::vector<at::Tensor> CriticParameters() const { return {critic_}; }
  // Names as in PyTorch ("actor.0.weight"), in a fixed order.
  std::vector<std::pair<std::string, at::Tensor>> NamedParameters() const;

  PolicyWeights Publish(int64_t version, const ObservationScaling& scaling) const;

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  Mlp actor_net_;
  Mlp critic_net_;
  at::Tensor actor_;
  at::Tensor critic_;
  at::Tensor log_std_;  // undefined when actions are discrete
};

}  // namespace dray
