#pragma once

#include <cstdint>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/learn/advantages.h"
#include "src/learn/samples.h"
#include "src/learn/steps.h"
#include "src/learn/update_report.h"
#include "src/nets/actor_critic.h"
#include "src/nets/moments.h"
#include "src/rollout/merged_rollout.h"

namespace dray {

// Turns a rollout into training data: normalises states, values them with the current critic, and
// computes advantages by GAE, or by V-trace if batches may lag. It refers to parts of the learner,
// which change between calls.
class SampleMaker {
 public:
  SampleMaker(const PpoConfig& ppo, const EnvSpec& spec, const ActorCritic& nets,
              const ObservationScaling& scaling, Steps& steps, ThreadTeam& team)
      : ppo_(ppo), spec_(spec), nets_(nets), scaling_(scaling), steps_(steps), team_(team) {}

  // Returns samples that refer to the rollout's memory. Records how good the critic is, and signs
  // of its divergence.
  Samples Make(MergedRollout& rollout, UpdateReport& report) const;

 private:
  template <typename T>
  at::Tensor OnDevice(std::vector<T>& values, at::IntArrayRef sizes) const;
  at::Tensor Normalized(std::vector<float>& observations, int64_t rows) const;
  Bags BagsOf(MergedRollout& rollout) const;
  int64_t RowsAtATime() const;
  std::vector<float> ValuesOf(const NetInput& input) const;
  std::vector<float> LogProbsOf(const Samples& samples) const;
  std::vector<float> NextValues(const MergedRollout& rollout,
                                const std::vector<float>& values) const;
  Targets MakeTargets(const MergedRollout& rollout, const Samples& samples,
                      const std::vector<float>& values,
                      const std::vector<float>& next_values) const;

  const PpoConfig& ppo_;
  const EnvSpec& spec_;
  const ActorCritic& nets_;
  const ObservationScaling& scaling_;
  Steps& steps_;
  ThreadTeam& team_;
};

}  // namespace dray
