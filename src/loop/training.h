#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/learn/learner.h"
#include "src/loop/actor_account.h"
#include "src/loop/checkpoint.h"
#include "src/loop/coordinator.h"
#include "src/loop/early_stop.h"
#include "src/loop/env_accounts.h"
#include "src/loop/episode_window.h"
#include "src/loop/evaluator.h"
#include "src/loop/rollout_stats.h"
#include "src/loop/run_folder.h"
#include "src/loop/run_plan.h"
#include "src/loop/stopwatch.h"
#include "src/metrics/report.h"
#include "src/metrics/terminal_sink.h"
#include "src/rollout/batch.h"

namespace dray {

// A training run apart from where its roles live: the loop's state machine, what is recorded of it
// and where it is kept. A runner pumps commands and tells this object what came of them.
class Training {
 public:
  struct Options {
    Config config;
    bool resume = false;
    int most_shards = 0;  // 0: as many as the config makes
    std::string device;   // for the header
    // The flag or file that a setting comes from, for messages.
    std::function<std::string(const std::string& path)> where_set;
    std::ostream* out = nullptr;
    TerminalStyle style;
  };
  explicit Training(const Options& options);

  const Config& config() const { return config_; }
  const RunPlan& plan() const { return plan_; }
  const EnvSpec& spec() const { return spec_; }
  Coordinator& loop() { return loop_; }
  PhaseTimes& times() { return times_; }
  // What the run goes on from; empty for a new run. To be released when the roles have taken it. It
  // has no shards when this run has another number of them: environments then begin new episodes.
  std::optional<Checkpoint>& resumed() { return resumed_; }
  // ShardPlace::replacement of the first shards: new episodes meet chance of their own.
  int first_replacement() const { return first_replacement_; }

  // The episodes that ended in the batches of the latest update that had any.
  const std::vector<Episode>& latest_episodes() const { return latest_episodes_; }

  // What runners report. Batches are those of the coming update, in its order.
  void OnBatch(const RolloutSummary& summary);
  void OnUpdate(const UpdateReport& report);
  // The best policy so far is saved at once.
  void OnEvaluation(const EvaluationReport& report);
  // The time from a policy's publication to its having been loaded by a shard.
  void OnWeightsLoaded(double seconds) { weights_latencies_s_.push_back(seconds); }
  void OnActor(const ActorAccount& account);
  Report EmitReport();
  // Whether the side learner should update now: once every so many epochs.
  bool SideUpdateDue(int epochs);
  // Asks the loop for a recovery checkpoint when the last one is old.
  void OnTick();
  // Why the run should end before its limits: `interrupted` by a signal, or time is up. Empty: it
  // should not, or is ending already.
  std::string WhyStop(bool interrupted) const;

  // Which of the run's roles a checkpoint is made of; the rest is here.
  struct RoleStates {
    std::string learner;
    std::string weights;
    std::vector<std::string> shards;
    std::string torch_file;
    std::string side_learner;
    std::string learned;
  };
  void SaveCheckpoint(RoleStates states);

  // What a learner can go on from; empty when there is none yet.
  std::optional<Checkpoint> NewestCheckpoint() const;

  void Status(const std::string& phase);
  void Say(const std::string& line);
  // From any thread: said with the next report or line.
  void SayLater(std::string line);
  void Finish();

  // Roles are ready: what they took to start is not the training's time.
  void StartClock();
  // Seconds of training, those before a resume included.
  double elapsed_s() const { return elapsed_before_s_ + clock_.seconds(); }

 private:
  void Resume(const Options& options);
  RunHeader Header(const std::string& device) const;
  Report MakeReport();
  void RecordTimes(Report& report);
  void RecordActors(Report& report);
  double EtaSeconds() const;
  std::string TimesText() const;

  Config config_;
  RunFolder folder_;
  EnvSpec spec_;
  RunPlan plan_;
  Coordinator loop_;
  EpisodeWindow episodes_;
  EnvAccounts envs_;
  EarlyStop early_stop_;
  std::vector<Episode> latest_episodes_;
  bool latest_update_done_ = false;  // the next episode is of another update
  RolloutStats rollout_stats_;
  CheckpointStore checkpoints_;
  std::optional<Checkpoint> resumed_;
  std::vector<std::unique_ptr<ReportSink>> sinks_;
  std::unique_ptr<TerminalSink> terminal_;
  UpdateReport last_update_;
  std::optional<EvaluationReport> evaluation_;  // not yet reported
  std::vector<double> weights_latencies_s_;     // likewise
  std::vector<ActorAccount> actors_;            // the newest of each, in order of their names
  std::mutex later_mutex_;
  std::vector<std::string> later_;
  bool new_best_ = false;
  double best_return_;
  Stopwatch clock_;
  Stopwatch since_checkpoint_;
  double elapsed_before_s_ = 0;
  double progress_at_start_ = 0;
  double reported_elapsed_s_ = 0;
  int64_t reported_steps_ = 0;
  int64_t reported_epoch_ = 0;
  int64_t oracle_splits_ = 0;
  int64_t learner_splits_ = 0;
  int first_replacement_ = 0;
  int64_t side_epoch_ = 0;  // when the side learner was last asked for
  PhaseTimes times_;        // since the last report
  PhaseTimes total_times_;  // of all reports
};

}  // namespace dray
