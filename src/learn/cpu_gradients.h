#pragma once

#include <vector>

#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"
#include "src/nets/cpu_mlp.h"

namespace dray {

// On plain memory by CpuMlp and cpu_loss.h: for networks on the CPU, where tensor dispatch would
// cost more than the arithmetic.
class CpuGradients : public Gradients {
 public:
  // The networks outlive this object and are on the CPU.
  explicit CpuGradients(ActorCritic& nets);

  PolicyStats Policy(const Minibatch& minibatch, const LossSettings& settings) override;
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override;

 private:
  ActorCritic& nets_;
  CpuMlp actor_;
  CpuMlp critic_;
  std::vector<float> advantages_;
  std::vector<float> output_gradients_;
};

}  // namespace dray
