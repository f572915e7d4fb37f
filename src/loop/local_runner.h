#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/base/bytes.h"
#include "src/learn/learner.h"
#include "src/loop/coordinator.h"
#include "src/loop/evaluator.h"
#include "src/loop/shard_threads.h"
#include "src/loop/stall_alarm.h"
#include "src/loop/training.h"
#include "src/rollout/env_shard.h"

namespace dray {

// Runs a training in this process: the same loop and roles as on a cluster, with batches in memory.
// Shards are stepped inline or on threads; both give the same numbers.
class LocalRunner {
 public:
  LocalRunner(Training& training, at::Device device);

  // Runs to the end, or to the end of the epoch in which `interrupted` (called between commands)
  // returns true.
  void Run(const std::function<bool()>& interrupted);

 private:
  void Do(const Collect& command);
  void Do(const Update& command);
  void Do(const Drop& command) { batches_.erase(command.ticket); }
  void Do(const Evaluate&);
  void Do(const EmitReport&) { training_.recorder().EmitReport(); }
  void Do(const TakeCheckpoint&);
  void Do(const Finish&) {}
  // Roles in this process cannot be lost: an exception ends the run with its message.
  void Do(const Respawn&);
  void Do(const RestoreLearner&);

  ShardThreads::Inputs Inputs() const;
  void Keep(Rollout rollout);
  // Waits for a rollout to end, but not for long.
  void WaitForRollout();
  // Says how far the rollouts are.
  std::string RolloutText() const;
  // Shows the phase, also to the thread that watches for stalls.
  void Enter(const char* phase);
  // Called by that thread.
  StallAlarm::Sign Sign() const;

  Training& training_;
  Learner learner_;
  Evaluator evaluator_;
  std::vector<std::unique_ptr<EnvShard>> shards_;
  std::unique_ptr<ShardThreads> threads_;  // null: inline
  std::vector<int64_t> beats_before_;      // by shard: heartbeats before its rollout
  std::shared_ptr<const std::string> weights_;
  std::unordered_map<Ticket, SharedBlob> batches_;
  std::atomic<const char*> phase_ = "start";
  std::atomic<int64_t> phases_ = 0;
  std::optional<StallAlarm> alarm_;  // set while the run lasts
};

}  // namespace dray
