#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "src/loop/coordinator.h"

namespace dray {

// An account of a run's actors and batches that owes nothing to the coordinator: commands are
// entered and checked against the rules of the loop, and whoever simulates the actors changes the
// account when they answer. A broken rule is an Error that names it.
class LoopAccount {
 public:
  enum class State { kIdle, kBusy, kLost };
  struct Shard {
    State state = State::kIdle;
    bool respawning = false;
    int64_t version_at_start = 0;  // of the rollout under way
  };
  struct Batch {
    int shard;
    int64_t policy_version;
    int64_t steps;
    int64_t episodes;
    bool given_up = false;  // with its shard, and counted so
  };

  explicit LoopAccount(const LoopSettings& settings)
      : shards(settings.shards), settings_(settings) {}

  // A command that is started now.
  void Enter(const LoopCommand& command);
  // After each event, when its commands have been entered.
  void ExpectCounters(const LoopCounters& told) const;
  static void Expect(bool holds, const char* rule);

  // What actors answer, before the coordinator is told.
  void LoseShard(int shard);
  void LoseLearner();
  void EndUpdate();
  // The learner goes on from after so many of the updates that stand. What to tell the coordinator.
  LearnerRestored Restore(size_t updates);
  size_t standing_updates() const { return standing_.size(); }

  std::vector<Shard> shards;
  State learner = State::kIdle;
  bool restoring = false;
  bool evaluating = false;
  bool checkpointing = false;
  bool saved = false;  // since the last update
  bool stopped = false;
  int64_t updates_at_stop = 0;
  bool finished = false;
  std::map<Ticket, Batch> kept;  // neither fed nor dropped
  int64_t stale_drops = 0;
  LoopCounters counts;

 private:
  void Begin(const Collect& command);
  void Begin(const Update& command);
  void Begin(const Drop& command);
  void Begin(const Respawn& command);
  void Begin(const RestoreLearner& command);
  void Begin(const Evaluate& command);
  void Begin(const EmitReport& command);
  void Begin(const TakeCheckpoint& command);
  void Begin(const Finish& command);
  void Feed(const std::vector<Ticket>& tickets);
  void ExpectRemaining(double remaining) const;
  void ExpectBoundaryDone() const;

  bool synchronous() const { return settings_.max_policy_lag == 0; }
  bool LimitReached() const;
  bool AllRest() const;
  int64_t UnderWay() const;
  int64_t Round() const;
  int64_t PlannedUpdates() const;
  int64_t Waiting(int shard) const;

  LoopSettings settings_;
  std::vector<Batch> feeding_;
  std::vector<int64_t> standing_;  // batches of each update that the learner has in it
  int evaluations_left_ = 0;       // at this boundary
  int reports_left_ = 0;
  bool save_due_ = false;
};

}  // namespace dray
