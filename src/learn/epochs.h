#pragma once

#include <cstdint>
#include <vector>

#include "src/base/heartbeat.h"
#include "src/base/thread_team.h"
#include "src/config/config.pb.h"
#include "src/learn/optimizer.h"
#include "src/learn/pass_orders.h"
#include "src/learn/samples.h"
#include "src/learn/steps.h"
#include "src/learn/update_report.h"
#include "src/nets/actor_critic.h"

namespace dray {

// Settings of an update that follow a schedule.
struct Scheduled {
  double learning_rate = 0;
  double value_learning_rate = 0;
  double clip = 0;
};

// Trains actor and critic on an update's samples: epochs of shuffled minibatches, a step of the
// optimiser each. They share an optimiser and minibatches, unless their numbers of epochs or their
// learning rates differ.
class Epochs {
 public:
  // All arguments must outlive this object.
  Epochs(const Config& config, ActorCritic& nets, Steps& steps, ThreadTeam& team,
         Heartbeat& heartbeat);

  // Runs the epochs of update number `update` on a rollout of `envs` environments, and records
  // losses and signs of divergence.
  void Run(const Samples& samples, int64_t envs, const Scheduled& scheduled, int64_t update,
           UpdateReport& report);

  std::vector<Optimizer>& optimizers() { return optimizers_; }
  const std::vector<Optimizer>& optimizers() const { return optimizers_; }

 private:
  // Networks to train in a sequence of epochs, and the sums so far.
  struct Passes {
    Part part;
    Optimizer& optimizer;
    StepSettings settings;
    PassOrders::Orders orders;
    StepSums sums = {};
    double minibatches = 0;
  };

  // Trains for at most as many epochs as there are orders, records the results, and returns how
  // many were run.
  int Train(Passes passes, UpdateReport& report);
  void RunEpoch(int epoch, Passes& passes, UpdateReport& report);
  void RecordMeans(const Passes& passes, UpdateReport& report) const;

  const PpoConfig& ppo_;
  uint64_t seed_;
  int64_t minibatch_ = 0;  // rows, whole sequences
  Steps& steps_;
  Heartbeat& heartbeat_;
  PassOrders policy_orders_, value_orders_;
  std::vector<Optimizer> optimizers_;  // one for both networks, or one each
};

}  // namespace dray
