#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dray {

// The training loop as a pure state machine. It never blocks, sleeps or touches a payload: told
// what happened (an event), it says what to start now (commands). A runner carries commands out, in
// this process or on a cluster, and keeps each batch under a ticket, the only thing known of it
// here.
//
//     start ──► running ──(enough batches)──► updating ──► boundary: evaluate, report, checkpoint
//                  ▲                                           │
//                  └───────────────────────────────────────────┴──(a limit or a stop)──► finished
//
// What always holds:
//   - a ticket is fed to the learner at most once, and every ticket ends in an Update or a Drop
//   - the policy version never decreases, and a batch older than max_policy_lag is dropped, not
//   used
//   - a lost shard is respawned and its work issued again; losses, drops and restarts are counted
//   - with max_policy_lag 0 no shard acts while the learner updates: strictly on-policy
//   - while a checkpoint is taken no shard collects and the learner rests

using Ticket = int64_t;

// --- Commands
// ---------------------------------------------------------------------------------------

// One rollout by this shard, by the newest weights. Answered by Collected or ShardLost.
struct Collect {
  int shard;
};
// One update from these batches, in this order. Answered by Updated or LearnerLost.
struct Update {
  std::vector<Ticket> tickets;
  double remaining;  // share of the run still ahead: 1 at the first update
};
// Forget this batch.
struct Drop {
  Ticket ticket;
};
// Replace a shard that was lost. Answered by ShardReady or ShardLost.
struct Respawn {
  int shard;
};
// Replace the learner by one that goes on from the newest good checkpoint. Answered by
// LearnerRestored.
struct RestoreLearner {};
// Answered by Evaluated, also when the evaluator was lost.
struct Evaluate {};
// Emit a report now.
struct EmitReport {};
// Save everything; every shard is idle. Answered by Checkpointed.
struct TakeCheckpoint {};
// The run is over.
struct Finish {};

using LoopCommand = std::variant<Collect, Update, Drop, Respawn, RestoreLearner, Evaluate,
                                 EmitReport, TakeCheckpoint, Finish>;

// --- Events
// -----------------------------------------------------------------------------------------

struct Collected {
  int shard;
  Ticket ticket;
  int64_t policy_version;  // that acted
  int64_t steps;
  int64_t episodes;
};
struct ShardLost {
  int shard;
};
struct ShardReady {
  int shard;
};
struct Updated {
  int64_t policy_version;  // that is published now
};
struct LearnerLost {};
struct LearnerRestored {};
struct Evaluated {};
struct Checkpointed {};
// A signal or the clock: end at the next boundary, with a checkpoint.
struct StopRequested {};

using LoopEvent = std::variant<Collected, ShardLost, ShardReady, Updated, LearnerLost,
                               LearnerRestored, Evaluated, Checkpointed, StopRequested>;

struct LoopSettings {
  int shards = 1;
  int update_interval = 1;        // epochs per update; an epoch is one rollout of every shard
  int max_policy_lag = 0;         // 0: synchronous
  int max_waiting_per_shard = 2;  // back-pressure of the asynchronous mode
  int64_t epoch_limit = 0;        // 0: none
  int64_t episode_limit = 0;      // 0: none
  int evaluation_interval = 0;    // epochs; 0: at the end alone
  int log_interval = 1;
  int save_interval = 0;  // 0: at the end alone
};

struct LoopCounters {
  int64_t epochs = 0;
  int64_t updates = 0;
  int64_t policy_version = 0;
  int64_t total_steps = 0;         // of batches that were learned from
  int64_t completed_episodes = 0;  // likewise
  int64_t batches_dropped = 0;     // too old, or nobody asked for them
  int64_t batches_lost = 0;        // with the actor that had them
  int64_t actors_restarted = 0;
};

class Coordinator {
 public:
  explicit Coordinator(const LoopSettings& settings)
      : settings_(settings), shards_(settings.shards) {}

  // What to do first; after Load, what to do first of what is left.
  std::vector<LoopCommand> Start();
  std::vector<LoopCommand> On(const LoopEvent& event);

  // Asks for a checkpoint at the next boundary (this one, after an evaluation) beside those of
  // save_interval.
  void RequestCheckpoint() { checkpoint_requested_ = true; }

  const LoopCounters& counters() const { return counters_; }
  bool finished() const { return phase_ == Phase::kFinished; }
  bool stopping() const { return stop_requested_; }
  // Share of the run that is done, 0 to 1, as far as its limits tell.
  double progress() const;

  std::string Save() const;
  void Load(std::string_view state);

 private:
  enum class Phase { kRunning, kUpdating, kRestoring, kBoundary, kFinished };
  enum class ShardState { kIdle, kCollecting, kLost };
  struct Shard {
    ShardState state = ShardState::kIdle;
    int waiting = 0;  // batches not yet fed
  };
  struct WaitingBatch {
    Ticket ticket;
    int shard;
    int64_t policy_version;
    int64_t steps;
    int64_t episodes;
  };

  void Handle(const Collected& event);
  void Handle(const ShardLost& event);
  void Handle(const ShardReady& event);
  void Handle(const Updated& event);
  void Handle(const LearnerLost& event);
  void Handle(const LearnerRestored& event);
  void Handle(const Evaluated& event);
  void Handle(const Checkpointed& event);
  void Handle(const StopRequested& event);

  std::vector<LoopCommand> Advance();
  void AdvanceBoundary();
  void DropStale();
  void StartUpdate();
  void StartRollouts();
  void DropBatch(Ticket ticket);

  bool synchronous() const { return settings_.max_policy_lag == 0; }
  bool LimitReached() const;
  bool AllIdle() const;
  // Rollouts of each shard that the next update takes.
  int RoundSize() const;
  double Remaining() const;

  LoopSettings settings_;
  LoopCounters counters_;
  Phase phase_ = Phase::kRunning;
  Phase after_restore_ = Phase::kRunning;
  std::vector<Shard> shards_;
  std::vector<WaitingBatch> waiting_;  // in order of arrival
  std::vector<WaitingBatch> feeding_;  // in the update under way
  std::vector<LoopCommand> commands_;
  bool evaluation_due_ = false;
  bool evaluating_ = false;
  bool report_due_ = false;
  bool checkpoint_due_ = false;
  bool checkpointing_ = false;
  bool checkpoint_requested_ = false;
  bool stop_requested_ = false;
};

}  // namespace dray
