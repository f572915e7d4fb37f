#pragma once

#include <memory>
#include <vector>

#include "src/base/thread_team.h"
#include "src/learn/cpu_loss.h"
#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"
#include "src/nets/cpu_net.h"

namespace dray {

// On plain memory by CpuNet and cpu_loss.h: for networks on the CPU, where tensor dispatch would
// cost more than the arithmetic.
class CpuGradients : public Gradients {
 public:
  // The networks, which are on the CPU, and the team outlive this object.
  explicit CpuGradients(ActorCritic& nets, ThreadTeam& team = ThreadTeam::Alone());

  PolicyStats Policy(const Minibatch& minibatch, const LossSettings& settings) override;
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override;
  std::vector<float> Values(const NetInput& input) override;

 private:
  PolicyStats ContinuousLoss(const Minibatch& minibatch, std::span<const float> means,
                             const PolicyRows& rows, const LossSettings& settings);
  PolicyStats DiscreteLoss(const Minibatch& minibatch, std::span<const float> logits,
                           const PolicyRows& rows, const LossSettings& settings);
  // Calls body(range) for the rows of a minibatch, shared out.
  template <typename Body>
  void ForRows(int64_t rows, const Body& body);

  ActorCritic& nets_;
  ThreadTeam& team_;
  std::unique_ptr<CpuNet> actor_;
  std::unique_ptr<CpuNet> critic_;
  std::vector<float> advantages_;
  std::vector<float> by_outputs_;  // gradients by the actor's outputs
  std::vector<float> by_values_;
  std::vector<PolicyStats> terms_;  // of each row
  std::vector<float> log_std_terms_;
  std::vector<double> value_losses_;
};

}  // namespace dray
