#pragma once

#include <cstdint>
#include <vector>

#include "src/base/heartbeat.h"
#include "src/base/rng.h"
#include "src/base/thread_team.h"
#include "src/config/config.pb.h"
#include "src/learn/gradient_signal.h"
#include "src/learn/optimizer.h"
#include "src/learn/samples.h"
#include "src/learn/steps.h"
#include "src/learn/update_report.h"
#include "src/nets/actor_critic.h"

namespace dray {

// Settings of an update that follow a schedule.
struct Scheduled {
  double learning_rate = 0;
  double clip = 0;
};

// Trains actor and critic on an update's samples: epochs of shuffled minibatches, a step of the
// optimiser each. They share an optimiser and minibatches, unless their numbers of epochs differ.
class Epochs {
 public:
  // All arguments must outlive this object.
  Epochs(const Config& config, ActorCritic& nets, Steps& steps, ThreadTeam& team,
         Heartbeat& heartbeat);

  // Runs the epochs of update number `update`, and records losses and signs of divergence.
  void Run(const Samples& samples, const Scheduled& scheduled, int64_t update,
           UpdateReport& report);

  std::vector<Optimizer>& optimizers() { return optimizers_; }
  const std::vector<Optimizer>& optimizers() const { return optimizers_; }

 private:
  // Networks to train in a sequence of epochs, and the sums so far.
  struct Passes {
    Part part;
    Optimizer& optimizer;
    StepSettings settings;
    Rng rng;
    StepSums sums = {};
    GradientSignal signal = {};
    double minibatches = 0;
  };

  // Trains for at most `epochs` epochs, records the results, and returns how many were run.
  int Train(const Samples& samples, int epochs, Passes passes, UpdateReport& report);
  void RunEpoch(int64_t rows, bool first, Passes& passes, UpdateReport& report);
  void RecordMeans(const Passes& passes, UpdateReport& report) const;

  const PpoConfig& ppo_;
  uint64_t seed_;
  ActorCritic& nets_;
  Steps& steps_;
  Heartbeat& heartbeat_;
  std::vector<int64_t> order_;         // rows of the samples, shuffled for each epoch
  std::vector<Optimizer> optimizers_;  // one for both networks, or one each
};

}  // namespace dray
