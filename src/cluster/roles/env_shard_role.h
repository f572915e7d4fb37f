#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/cluster/roles/call_summaries.h"
#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/loop/shard_threads.h"
#include "src/rollout/env_shard.h"

namespace dray {

// One shard, or several that step side by side, each on its own thread. collect(header, weights,
// side_model) -> batch; summary(call) -> RolloutSummary. Batches, summaries and states of several
// shards are packed.
class EnvShardRole : public DispatchedRole {
 public:
  explicit EnvShardRole(const RoleSettings& settings);

 private:
  bool packed() const { return threads_ != nullptr; }
  // Collects a rollout with all shards side by side: writes the batches to `reply` and returns the
  // summaries, both packed.
  std::string CollectSideBySide(const ShardThreads::Inputs& inputs, ByteSink& reply);
  std::vector<std::string> States() const;
  // Continues from saved states. One that is damaged is an Error and changes nothing.
  void Load(std::span<const std::string_view> states);
  void AddTo(HeartbeatReply& beat) const;

  std::vector<std::unique_ptr<EnvShard>> shards_;
  std::unique_ptr<ShardThreads> threads_;  // null: one shard, whose replies are not packed
  CallSummaries summaries_;
};

}  // namespace dray
