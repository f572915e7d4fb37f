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
//   - every batch that a shard was asked for is counted once: collected = trained + dropped + lost
//   + undone, and those under way
//   - with max_policy_lag 0 no shard acts while the learner updates: strictly on-policy
//   - while a checkpoint is taken no shard collects and the learner rests

using Ticket = int64_t;

// --- Commands

// One rollout by this shard, by the newest weights. Answered by Collected or ShardLost.
struct Collect {
  int shard;
};
// One update from these batches, in this order. Answered by Updated, UpdateLost or LearnerLost.
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
// Replace the learner by one that goes on from the newest state of it that was kept. Answered by
// LearnerRestored.
struct RestoreLearner {};
// Answered by Evaluated, also when the evaluator was lost.
struct Evaluate {};
// Emit a report now.
struct EmitReport {};
// Save everything; every shard is idle. Answered by Checkpointed, or given up with the loss of a
// shard or of the learner: it is then asked for again.
struct TakeCheckpoint {};
// The run is over.
struct Finish {};

using LoopCommand = std::variant<Collect, Update, Drop, Respawn, RestoreLearner, Evaluate,
                                 EmitReport, TakeCheckpoint, Finish>;

// --- Events
// The loss of an actor is told once each time. Any other event may be told twice in a row, and an
// actor that was lost may still answer until its replacement is ready.

struct Collected {
  int shard;
  Ticket ticket;           // larger than that of any batch before
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
// What the restored state has learned from: LoopCounters::standing_updates and batches_trained as
// they were when it was kept. At the beginning of a run both are 0.
struct LearnerRestored {
  int64_t updates = 0;
  int64_t batches = 0;
};
// The learner is there, but its update came to nothing: a batch was lost on the way to it.
struct UpdateLost {};
// An actor that the loop does not direct was lost and replaced: to be counted.
struct OtherLost {};
struct Evaluated {};
struct Checkpointed {};
// A signal: end at the next boundary, with a checkpoint.
struct StopRequested {};

using LoopEvent =
    std::variant<Collected, ShardLost, ShardReady, Updated, LearnerLost, LearnerRestored,
                 UpdateLost, OtherLost, Evaluated, Checkpointed, StopRequested>;

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
  int64_t batches_dropped = 0;     // too old
  int64_t batches_lost = 0;        // with the actor that made or had them
  int64_t actors_restarted = 0;
  int64_t goal_reached = 0;  // 1: the run ended before its limits, having learned enough
  // The rest came later: saved counters may end here.
  int64_t batches_collected = 0;  // that shards were asked for
  int64_t batches_trained = 0;    // that the learner, as it is, has learned from
  int64_t batches_undone = 0;     // learned from by a learner that was lost, and not saved since
  int64_t updates_undone = 0;     // likewise

  int64_t standing_updates() const { return updates - updates_undone; }
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
  // Share of the run's time that has passed: what schedules follow when it is ahead of the other
  // limits. At 1 or more, the update under way is the last one.
  void SetTimeShare(double share) { time_share_ = share; }
  // The update under way is the last one, as if a limit were reached with it.
  void ReachGoal() { counters_.goal_reached = 1; }

  const LoopCounters& counters() const { return counters_; }
  // Those of batches_collected of which nothing else is counted yet: they are being collected, or
  // learned from, or wait.
  int64_t batches_under_way() const;
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
  void Handle(const UpdateLost& event);
  void Handle(const OtherLost&) { ++counters_.actors_restarted; }
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
  // Of the limits that are counted, not timed.
  double CountedShare() const;

  LoopSettings settings_;
  LoopCounters counters_;
  double time_share_ = 0;  // of a run whose time is limited
  Phase phase_ = Phase::kRunning;
  Phase after_restore_ = Phase::kRunning;
  std::vector<Shard> shards_;
  std::vector<WaitingBatch> waiting_;  // in order of arrival
  std::vector<WaitingBatch> feeding_;  // in the update under way
  Ticket newest_ticket_ = -1;
  std::vector<LoopCommand> commands_;
  // Whether this boundary is the end. Time that is up only meanwhile ends the run at the next one,
  // which evaluates.
  bool last_ = false;
  bool evaluation_due_ = false;
  bool evaluating_ = false;
  bool report_due_ = false;
  bool checkpoint_due_ = false;
  bool checkpointing_ = false;
  bool checkpoint_requested_ = false;
  bool checkpointed_ = false;  // since the last update
  bool stop_requested_ = false;
};

}  // namespace dray
