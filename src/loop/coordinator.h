#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dray {

// The training loop as a pure state machine. It never blocks, sleeps or touches a payload: it takes
// events (what happened) and returns commands (what to start now). A runner executes the commands,
// in this process or on a cluster, and stores each batch under a ticket, which is all that is known
// of it here.
//
//     start ──► running ──(enough batches)──► updating ──► boundary: evaluate, report, checkpoint
//                  ▲                                           │
//                  └───────────────────────────────────────────┴──(a limit or a stop)──► finished
//
// Invariants:
//   - a ticket is fed to the learner at most once, and every ticket ends in an Update or a Drop
//   - the policy version never decreases, and a batch older than max_policy_lag is dropped
//   - a lost shard is respawned and its work reissued; losses, drops and restarts are counted
//   - every requested batch is counted once: collected = trained + dropped + lost + undone + under
//     way
//   - with max_policy_lag 0 no shard acts while the learner updates: strictly on-policy
//   - while a checkpoint is taken, shards and learner are idle

using Ticket = int64_t;

// --- Commands

// Collect one rollout with the newest weights. Answered by Collected, RolloutLost or ShardLost.
struct Collect {
  int shard;
};
// Update from these batches, in this order. Answered by Updated, UpdateLost or LearnerLost.
struct Update {
  std::vector<Ticket> tickets;
  double remaining;  // share of the run still ahead: 1 at the first update
};
// Forget this batch.
struct Drop {
  Ticket ticket;
};
// Replace a lost shard. Answered by ShardReady or ShardLost.
struct Respawn {
  int shard;
};
// Replace the learner by one that continues from its newest kept state. Answered by
// LearnerRestored.
struct RestoreLearner {};
// Evaluate the policy. Answered by Evaluated, even if the evaluator was lost.
struct Evaluate {};
// Emit a report now.
struct EmitReport {};
// Save everything; every shard is idle. Answered by Checkpointed, or abandoned if a shard or the
// learner is lost: it is then requested again.
struct TakeCheckpoint {};
// The run is over.
struct Finish {};

using LoopCommand = std::variant<Collect, Update, Drop, Respawn, RestoreLearner, Evaluate,
                                 EmitReport, TakeCheckpoint, Finish>;

// --- Events
// Each loss is reported once. Any other event may be reported twice in a row, and a
// lost actor may still answer until its replacement is ready.

struct Collected {
  int shard;
  Ticket ticket;           // larger than all tickets before
  int64_t policy_version;  // version of the policy that acted
  int64_t steps;
  int64_t episodes;
};
struct ShardLost {
  int shard;
};
// The shard is alive, but its rollout never began: the weights were lost on the way to it.
struct RolloutLost {
  int shard;
};
struct ShardReady {
  int shard;
};
struct Updated {
  int64_t policy_version;  // newly published version
};
struct LearnerLost {};
// Work contained in the restored state: LoopCounters::standing_updates and batches_trained when the
// state was kept. Both are 0 at the beginning of a run.
struct LearnerRestored {
  int64_t updates = 0;
  int64_t batches = 0;
};
// The learner is alive, but its update failed: a batch was lost on the way to it.
struct UpdateLost {};
// An actor that the loop does not direct was lost and replaced; it is only counted.
struct OtherLost {};
struct Evaluated {};
struct Checkpointed {};
// A signal arrived: end at the next boundary, with a checkpoint.
struct StopRequested {};

using LoopEvent =
    std::variant<Collected, ShardLost, RolloutLost, ShardReady, Updated, LearnerLost,
                 LearnerRestored, UpdateLost, OtherLost, Evaluated, Checkpointed, StopRequested>;

struct LoopSettings {
  int shards = 1;
  // Batches that each of these shards collects at a time: on a cluster, an actor may host several
  // shards, which are one to the loop. Empty: one each.
  std::vector<int> batches_per_shard = {};
  int update_interval = 1;        // epochs per update; an epoch is one rollout of every shard
  int max_policy_lag = 0;         // 0: synchronous
  int max_waiting_per_shard = 2;  // back-pressure of the asynchronous mode
  int64_t epoch_limit = 0;        // 0: none
  int64_t episode_limit = 0;      // 0: none
  int evaluation_interval = 0;    // epochs; 0: only at the end
  int log_interval = 1;
  int save_interval = 0;  // epochs; 0: only at the end
  bool has_goal = false;  // an update may reach the run's goal, which ends it
};

struct LoopCounters {
  int64_t epochs = 0;
  int64_t updates = 0;
  int64_t policy_version = 0;
  int64_t total_steps = 0;         // steps learned from
  int64_t completed_episodes = 0;  // episodes learned from
  int64_t batches_dropped = 0;     // too old
  int64_t batches_lost = 0;        // lost together with an actor or its weights
  int64_t actors_restarted = 0;
  int64_t goal_reached = 0;  // 1: the run learned enough and ended before its limits
  // The rest was added later: saved counters may end here.
  int64_t batches_collected = 0;  // requested from shards
  int64_t batches_trained = 0;    // contained in the current learner
  int64_t batches_undone = 0;     // trained, but lost with a learner before it was saved
  int64_t updates_undone = 0;     // updates lost in the same way

  int64_t standing_updates() const { return updates - updates_undone; }
};

class Coordinator {
 public:
  explicit Coordinator(const LoopSettings& settings)
      : settings_(settings), shards_(settings.shards) {}

  // Returns the first commands of a new run, or of a loaded one.
  std::vector<LoopCommand> Start();
  std::vector<LoopCommand> On(const LoopEvent& event);

  // Requests a checkpoint at the next boundary (this one, after an evaluation) in addition to those
  // of save_interval.
  void RequestCheckpoint() { checkpoint_requested_ = true; }
  // Requests an evaluation or a report after the current update, in addition to those of the
  // intervals.
  void RequestEvaluation() { evaluation_requested_ = true; }
  void RequestReport() { report_requested_ = true; }
  // Sets the share of the run's time that has passed; schedules follow it if it is ahead of the
  // other limits. At 1 or more, the current update is the last one.
  void SetTimeShare(double share) { time_share_ = share; }
  // Makes the current update the last one, as if it reached a limit.
  void ReachGoal() { counters_.goal_reached = 1; }

  // Returns `remaining` of the next Update if nothing but a loss can keep it from being one of the
  // rollouts under way, one of each shard: a runner may prepare it. Otherwise returns nothing.
  std::optional<double> ForeseenUpdate() const;
  // Returns progress() of the next rollouts if they will begin as soon as the update under way has
  // ended, all with the weights that it publishes: a runner may prepare them. Otherwise returns
  // nothing. Once foreseen, they come unless something is lost: a stop that is requested meanwhile,
  // or time that runs out, ends the run one update later.
  std::optional<double> ForeseeRollouts();

  const LoopCounters& counters() const { return counters_; }
  // Number of batches_collected that no other counter contains yet: being collected, waiting, or
  // being learned from.
  int64_t batches_under_way() const;
  bool finished() const { return phase_ == Phase::kFinished; }
  bool stopping() const { return stop_requested_; }
  // Share of the run that is done according to its limits, 0 to 1.
  double progress() const { return ProgressAt(counters_); }

  std::string Save() const;
  void Load(std::string_view state);

 private:
  enum class Phase { kRunning, kUpdating, kRestoring, kBoundary, kFinished };
  enum class ShardState { kIdle, kCollecting, kLost };
  struct Shard {
    ShardState state = ShardState::kIdle;
    int waiting = 0;            // batches not yet fed
    int64_t collects_with = 0;  // newest policy version when its rollout was requested
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
  void Handle(const RolloutLost& event);
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
  // Enters the boundary behind the update that has just been counted.
  void EnterBoundary(int64_t epochs_before);
  void AdvanceBoundary();
  void DropStale();
  void StartUpdate();
  void StartRollouts();
  void DropBatch(const WaitingBatch& batch);
  int64_t BatchesOf(int shard) const;
  int64_t BatchesIn(const std::vector<WaitingBatch>& collected) const;

  bool synchronous() const { return settings_.max_policy_lag == 0; }
  // The counters when the update under way has ended, with the policy version still the old one.
  LoopCounters AfterUpdate() const;
  bool LimitReached(const LoopCounters& counters) const;
  bool AllIdle() const;
  // Rollouts per shard in the next update.
  int RoundSize() const;
  double Remaining() const;
  double ProgressAt(const LoopCounters& counters) const;
  // Progress by the counted limits, ignoring time.
  double CountedShare(const LoopCounters& counters) const;

  LoopSettings settings_;
  LoopCounters counters_;
  double time_share_ = 0;  // 0 unless the run has a time limit
  Phase phase_ = Phase::kRunning;
  Phase after_restore_ = Phase::kRunning;
  std::vector<Shard> shards_;
  std::vector<WaitingBatch> waiting_;  // oldest first
  std::vector<WaitingBatch> feeding_;  // batches of the current update
  Ticket newest_ticket_ = -1;
  std::vector<LoopCommand> commands_;
  // This boundary is the end. If time runs out during a boundary, the run ends at the next one,
  // which evaluates.
  bool last_ = false;
  bool evaluation_due_ = false;
  bool evaluation_requested_ = false;
  bool evaluating_ = false;
  bool report_due_ = false;
  bool report_requested_ = false;
  bool checkpoint_due_ = false;
  bool checkpointing_ = false;
  bool checkpoint_requested_ = false;
  bool checkpointed_ = false;  // a checkpoint was taken since the last update
  bool stop_requested_ = false;
  bool rollouts_foreseen_ = false;  // they begin right after the update under way
};

}  // namespace dray
