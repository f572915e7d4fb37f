#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/heartbeat.h"
#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/registry.h"
#include "src/nets/policy.h"
#include "src/rollout/batch.h"
#include "src/rollout/rollout_summary.h"

namespace dray {

struct Rollout {
  SharedBlob batch;
  RolloutSummary summary;
};

// A shard's environments among those of the run.
struct ShardPlace {
  int shard = 0;
  int first_env = 0;
  int envs = 0;
  // Number of times the shard was replaced. Each replacement draws from its own random streams, so
  // that it does not repeat what its predecessor has seen.
  int replacement = 0;
};

// Role that steps some of the run's environments with a policy. Takes weights and returns a batch;
// the next rollout starts from the observations at which this one ends.
class EnvShard {
 public:
  EnvShard(const Config& config, const ShardPlace& place, int rollout_steps,
           const EnvMaker& make_envs = MakeBatchEnv);

  // Collects one rollout with these weights and writes the batch to `out`.
  RolloutSummary CollectInto(ByteSink& out, std::string_view weights,
                             const RolloutContext& context);
  Rollout Collect(std::string_view weights, const RolloutContext& context = {});
  // May be read by another thread.
  const Heartbeat& heartbeat() const { return heartbeat_; }

  // Saves environments, random streams and carried observations.
  std::string Save() const;
  // Continues from a saved state. A state that is damaged or belongs to another shard is an Error
  // and changes nothing.
  void Load(std::string_view state);

 private:
  // State beside the environments in which the next rollout starts.
  struct Start {
    std::vector<Rng> action_rngs;
    std::vector<float> observations;  // [N, observation_size], with the policy's memory
    std::vector<uint8_t> masks;       // [N, mask_size]
    std::vector<int16_t> bags;        // [N, bag.indices()]
    // [N]: indices that joined the bags of the current episodes before the current state.
    std::vector<std::vector<int16_t>> joined;
    std::vector<float> discounted_returns;  // [N]: discounted reward of the current episodes so far
  };

  Start ReadStart(ByteReader& in) const;
  bool MakesSense(const Start& start) const;
  void RecordMetrics(double rollout_s, Report& metrics);
  void Act(BatchColumns<MutableSpan>& columns, int step);
  void Appraise(BatchColumns<MutableSpan>& columns, int step);
  void StepEnvs(BatchWriter& batch, int step);
  void AddJoined(const BatchColumns<MutableSpan>& columns, int step);
  void AddReturns(BatchColumns<MutableSpan>& columns, int step);

  Heartbeat heartbeat_;
  ShardPlace place_;
  int steps_;
  float gamma_;
  std::unique_ptr<BatchEnv> envs_;
  EnvSpec spec_;  // as the networks see it
  Policy policy_;
  Start start_;
  std::vector<float> final_observations_;  // [N, observation_size], with memory; scratch
};

}  // namespace dray
