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

// Which environments of the run a shard has.
struct ShardPlace {
  int shard = 0;
  int first_env = 0;
  int envs = 0;
  // How often the shard was replaced: each replacement draws from random streams of its own and
  // does not repeat what its predecessor has seen.
  int replacement = 0;
};

// A role: some of the run's environments and the policy that acts in them. Weights in, batch out;
// the observations at which a rollout ends are those the next one starts from.
class EnvShard {
 public:
  EnvShard(const Config& config, const ShardPlace& place, int rollout_steps,
           const EnvMaker& make_envs = MakeBatchEnv);

  // One rollout by these weights, from start to end. The batch goes to `out`.
  RolloutSummary CollectInto(ByteSink& out, std::string_view weights,
                             const RolloutContext& context);
  Rollout Collect(std::string_view weights, const RolloutContext& context = {});
  // May be read by another thread.
  const Heartbeat& heartbeat() const { return heartbeat_; }

  // Environments, random streams and carried observations.
  std::string Save() const;
  void Load(std::string_view state);

 private:
  // Where the next rollout starts.
  void LoadStart(ByteReader& in);
  bool LoadedMakesSense() const;
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
  Policy policy_;
  std::vector<Rng> action_rngs_;
  std::vector<float> observations_;  // [N, observation_size]: where the next rollout starts
  std::vector<uint8_t> masks_;       // [N, mask_size], likewise
  std::vector<int16_t> bags_;        // [N, bag.indices()], likewise
  // [N]: what has joined the bags of the episodes under way, before the state they are in.
  std::vector<std::vector<int16_t>> joined_;
  std::vector<float>
      discounted_returns_;  // [N]: running discounted reward of the episodes under way
  std::vector<float> final_observations_;  // [N, observation_size], scratch
};

}  // namespace dray
