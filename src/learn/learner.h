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
#include "src/learn/gradients.h"
#include "src/learn/optimizer.h"
#include "src/learn/sample_maker.h"
#include "src/learn/samples.h"
#include "src/learn/steps.h"
#include "src/learn/update_report.h"
#include "src/nets/actor_critic.h"
#include "src/nets/moments.h"

namespace dray {

// A role: actor, critic, their optimisers and the running statistics. Batches in, weights out.
//
// One update is: merge the rollouts; value every state with the present critic; advantages (GAE, or
// V-trace when batches may lag); then epochs of shuffled minibatches.
class Learner {
 public:
  // Who computes the gradients on the host; tests may watch or replace it.
  using MakeGradients =
      std::function<std::unique_ptr<Gradients>(ActorCritic& nets, ThreadTeam& team)>;

  // Without `make_gradients`: on a CPU the fast ones, elsewhere what the device does by itself.
  Learner(const Config& config, const EnvSpec& spec, at::Device device,
          const MakeGradients& make_gradients = nullptr);
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // Of the learner, by this config, on a machine with so many cores: in asynchronous mode those
  // that shards leave free.
  static int MostThreads(const Config& config, int cores);

  // Learns from these batches, each once. `remaining` is the share of the run still ahead, 1 at the
  // first update: what linear schedules are multiplied with. Divergence is met as
  // ppo.on_divergence says: reported, an Error, or the last good policy again.
  UpdateReport Update(const std::vector<std::string_view>& batches, double remaining);

  // The present policy for shards and evaluators, as PolicyWeights bytes.
  std::string Publish() const;
  int64_t version() const { return version_; }
  // After Load, when newer policies than the loaded one were published before: versions never
  // decrease.
  void RaiseVersion(int64_t version) { version_ = std::max(version_, version); }
  // May be read by another thread.
  const Heartbeat& heartbeat() const { return heartbeat_; }

  const ActorCritic& nets() const { return nets_; }
  // Of observations, as published.
  const ObservationScaling& scaling() const { return scaling_; }

  std::string Save() const;
  void Load(std::string_view state);
  // Takes the networks and the running statistics of another run's saved state; optimisers and
  // counters stay as they are. A state of other networks is an Error.
  void StartFrom(std::string_view state);

 private:
  std::unique_ptr<Steps> MakeSteps(const MakeGradients& make_gradients);
  void Learn(const std::vector<std::string_view>& batches, double remaining, UpdateReport& report);
  void LoadState(std::string_view state);
  bool WeightsAreSane() const;
  void MeetDivergence(UpdateReport& report);
  void Restore(UpdateReport& report);
  void NormalizeRewards(MergedRollout& rollout);
  void Train(const Samples& samples, UpdateReport& report);
  int TrainEpochs(Part part, int epochs, Optimizer& optimizer, const Samples& samples, Rng& rng,
                  UpdateReport& report);

  Heartbeat heartbeat_;
  Config config_;
  EnvSpec spec_;
  at::Device device_;
  ActorCritic nets_;
  ThreadTeam team_;
  std::unique_ptr<Steps> steps_;
  SampleMaker sample_maker_;
  // One optimiser for both networks, or one each when their epochs differ.
  std::vector<Optimizer> optimizers_;
  Moments observation_moments_;
  Moments return_moments_;
  ObservationScaling scaling_;  // as published with the present version
  int64_t version_ = 0;
  int64_t updates_ = 0;
  DivergenceWatch watch_;
  std::string good_;        // the state to return to, where divergence is met so
  double rate_factor_ = 1;  // of the learning rate, halved by every return
};

}  // namespace dray
