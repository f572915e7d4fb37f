#pragma once

#include <c10/core/Device.h>

#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/learn/learner.h"
#include "src/rollout/env_shard.h"

namespace dray {

// Seconds that something took in a trial.
struct Timing {
  double seconds = INFINITY;  // infinity: the trial failed
  std::string failure;        // one line; empty if the trial succeeded

  bool succeeded() const { return failure.empty(); }
};

// Runs a trial that returns seconds. Failures are returned, not thrown: a trial never ends a run.
Timing RunTrial(const std::function<double()>& trial);

// Short measurements on this machine at the start of a run, for settings that its config leaves
// open. Each one measures what `config` says at that moment.
class Trials {
 public:
  Trials(const Config& config, const EnvSpec& spec) : config_(config), spec_(spec) {}

  // Times learning from one sample on a device, all passes over it included.
  Timing Learning(const at::Device& device) const;
  // Times the work of the task's service for one step of all environments, with as many
  // environments as one call would serve. `workers` step shards at the same time.
  Timing Service(const EnvConfig& settings, int workers) const;
  // Times one step of one environment on one core.
  Timing Step() const;

 private:
  const Config& config_;
  const EnvSpec& spec_;
};

// Published weights of a policy that has learned nothing.
std::string UntrainedWeights(const Config& config, const EnvSpec& spec);

// Repeats real updates on one short rollout. The learning rate is 0: the policy stays as it is, and
// cannot diverge however often the same samples are learned from.
class LearningTrial {
 public:
  LearningTrial(const Config& config, const EnvSpec& spec, const at::Device& device);

  // Performs one update and returns how many seconds it took.
  double Update();
  // Number of samples in an update.
  int64_t samples() const { return samples_; }
  const at::Tensor& parameters() const { return learner_.nets().parameters(); }

 private:
  Learner learner_;
  Rollout rollout_;
  std::vector<std::string_view> batches_;
  int64_t samples_ = 0;
};

// Minimum time to pass a rollout to a thread of this process and back, and to an actor.
inline constexpr double kHandingToThread_s = 30e-6, kHandingToActor_s = 2e-3;
// Returns the seconds it takes to wake a sleeping thread, which is longer on virtual machines.
double TimeHandingToThread();

}  // namespace dray
