#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/heartbeat.h"
#include "src/base/thread_team.h"
#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/learn/divergence.h"
#include "src/learn/epochs.h"
#include "src/learn/gradients.h"
#include "src/learn/optimizer.h"
#include "src/learn/sample_maker.h"
#include "src/learn/steps.h"
#include "src/learn/update_report.h"
#include "src/nets/actor_critic.h"
#include "src/nets/moments.h"

namespace dray {

// Role that learns: holds actor, critic, their optimisers and running statistics. Takes batches and
// publishes weights.
//
// An update merges the rollouts; values every state with the current critic; computes advantages
// (GAE, or V-trace when batches may lag); then runs epochs of shuffled minibatches. To read it from
// top to bottom:
//
//   learner.cc        one update, divergence, saved state
//   sample_maker.cc   from rollouts to samples, with advantages.cc
//   epochs.cc         epochs of minibatches
//   loss_terms.h      the loss of a sample, for CPU and CUDA
//   gradients.h       the gradients of a minibatch's loss
//   steps.h           gradients and optimiser steps of a pass
//   optimizer.cc      Adam with a clipped gradient norm
//
// cpu/ computes gradients and steps on the CPU, device/ on a GPU. divergence.h watches updates;
// update_report.h tells what they did.
class Learner {
 public:
  // Makes what computes the gradients on the host. Tests may watch or replace it.
  using MakeGradients =
      std::function<std::unique_ptr<Gradients>(ActorCritic& nets, ThreadTeam& team)>;

  // Uses CpuGradients on a CPU and DeviceSteps elsewhere, unless `make_gradients` is given.
  Learner(const Config& config, const EnvSpec& spec, at::Device device,
          const MakeGradients& make_gradients = nullptr);
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // Number of learner threads this config gets on a machine with `cores` cores. In asynchronous
  // mode, these are the cores that shards leave free.
  static int MostThreads(const Config& config, int cores);

  // Learns from these batches, each once. `remaining` is the share of the run still ahead, 1 at the
  // first update; linear schedules are multiplied by it. If training diverges, reports it, throws
  // an Error or restores the last good policy, depending on ppo.on_divergence.
  UpdateReport Update(const std::vector<std::string_view>& batches, double remaining);

  // Returns the current policy for shards and evaluators, as PolicyWeights bytes.
  std::string Publish() const;
  int64_t version() const { return version_; }
  // Raises the version after Load, if newer policies than the loaded one were published before:
  // versions never decrease.
  void RaiseVersion(int64_t version) { version_ = std::max(version_, version); }
  // May be read by another thread.
  const Heartbeat& heartbeat() const { return heartbeat_; }

  const ActorCritic& nets() const { return nets_; }
  // Normalisation of observations, as published.
  const ObservationScaling& scaling() const { return scaling_; }

  std::string Save() const;
  // Continues from a saved state. A state that is damaged or belongs to other networks is an Error
  // and changes nothing; the same holds for StartFrom.
  void Load(std::string_view state);
  // Takes networks and running statistics from the saved state of another run; optimisers and
  // counters stay as they are.
  void StartFrom(std::string_view state);

 private:
  // A saved state, read and checked.
  struct State {
    int64_t version = 0;
    int64_t updates = 0;
    at::Tensor parameters;
    std::vector<Optimizer::State> optimizers;
    Moments observation_moments;
    Moments return_moments;
    double rate_factor = 1;
  };

  std::unique_ptr<Steps> MakeSteps(const MakeGradients& make_gradients);
  void Learn(const std::vector<std::string_view>& batches, double remaining, UpdateReport& report);
  void Merge(const std::vector<std::string_view>& batches, UpdateReport& report);
  Scheduled Schedule(double remaining) const;
  void NormalizeRewards(MergedRollout& rollout);
  bool WeightsAreSane() const;
  void MeetDivergence(UpdateReport& report);
  void RestoreGood();
  State Read(std::string_view bytes) const;
  void TakePolicy(const State& state);
  void Take(State state);

  Heartbeat heartbeat_;
  Config config_;
  EnvSpec spec_;
  at::Device device_;
  ActorCritic nets_;
  ThreadTeam team_;
  MergedRollout rollout_;  // of the last update; the next one uses its memory
  std::unique_ptr<Steps> steps_;
  SampleMaker sample_maker_;
  Epochs epochs_;
  Moments observation_moments_;
  Moments return_moments_;
  ObservationScaling scaling_;  // published with the current version
  int64_t version_ = 0;
  int64_t updates_ = 0;
  DivergenceWatch watch_;
  std::string good_;        // state to return to, if ppo.on_divergence is restore
  double rate_factor_ = 1;  // factor of the learning rate, halved at every return
};

}  // namespace dray
