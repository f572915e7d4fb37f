#pragma once

#include <memory>
#include <vector>

#include "src/base/thread_team.h"
#include "src/learn/cpu/cpu_loss.h"
#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"
#include "src/nets/cpu_net.h"

namespace dray {

// Gradients on plain memory, by CpuNet and cpu_loss.h. For networks on the CPU, where tensor
// dispatch would cost more than the arithmetic.
class CpuGradients : public Gradients {
 public:
  // The networks, which must be on the CPU, and the team must outlive this object.
  explicit CpuGradients(ActorCritic& nets, ThreadTeam& team = ThreadTeam::Alone());

  LossTerms Policy(const Minibatch& minibatch, const LossSettings& settings) override;
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override;
  std::vector<float> Values(const NetInput& input) override;

 private:
  LossTerms ContinuousLoss(const Minibatch& minibatch, std::span<const float> means,
                           const PolicyRows& rows, const LossSettings& settings);
  LossTerms DiscreteLoss(const Minibatch& minibatch, std::span<const float> logits,
                         const PolicyRows& rows, const LossSettings& settings);
  // Calls body(range) for the rows of a minibatch, shared among threads.
  template <typename Body>
  void ForRows(int64_t rows, const Body& body);

  ActorCritic& nets_;
  ThreadTeam& team_;
  std::unique_ptr<CpuNet> actor_;
  std::unique_ptr<CpuNet> critic_;
  std::vector<float> advantages_;
  std::vector<float> by_outputs_;  // gradients with respect to the actor's outputs
  std::vector<float> by_values_;
  std::vector<LossTerms> terms_;  // one per row
  std::vector<float> log_std_terms_;
  std::vector<double> value_losses_;
};

}  // namespace dray
