#pragma once

#include <memory>
#include <vector>

#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"
#include "src/nets/cpu_net.h"

namespace dray {

// On plain memory by CpuNet and cpu_loss.h: for networks on the CPU, where tensor dispatch would
// cost more than the arithmetic.
class CpuGradients : public Gradients {
 public:
  // The networks outlive this object and are on the CPU.
  explicit CpuGradients(ActorCritic& nets);

  PolicyStats Policy(const Minibatch& minibatch, const LossSettings& settings) override;
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override;

 private:
  ActorCritic& nets_;
  std::unique_ptr<CpuNet> actor_;
  std::unique_ptr<CpuNet> critic_;
  std::vector<float> advantages_;
  std::vector<float> by_outputs_;  // gradients by the actor's outputs
  std::vector<float> by_values_;
};

}  // namespace dray
