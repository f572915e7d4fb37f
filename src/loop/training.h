#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/loop/checkpoint.h"
#include "src/loop/run_folder.h"
#include "src/loop/run_plan.h"
#include "src/loop/run_recorder.h"
#include "src/loop/tracker.h"
#include "src/loop/training_state.h"
#include "src/output/jsonl_sink.h"
#include "src/output/terminal_sink.h"

namespace dray {

// A training run in its folder, independent of where its roles run: its state, its record and its
// checkpoints. A runner executes the loop's commands and reports the results to this object.
class Training {
 public:
  struct Options {
    Config config;
    bool resume = false;
    // Time limit of this process on a resumed run, instead of train.duration_s; 0: none.
    std::optional<double> duration_s;
    Sharding sharding;
    std::string device;  // shown in the header
    // Returns the flag or file that a setting comes from, for messages.
    std::function<std::string(const std::string& path)> where_set;
    std::ostream* out = nullptr;
    TerminalStyle style;
  };
  explicit Training(const Options& options);

  const Config& config() const { return config_; }
  const RunFolder& folder() const { return folder_; }
  const RunPlan& plan() const { return plan_; }
  const EnvSpec& spec() const { return spec_; }
  const Coordinator& coordinator() const { return state_.coordinator(); }
  TrainingState& state() { return state_; }
  TrainingLoop& loop() { return state_.loop(); }
  RunRecorder& recorder() { return *recorder_; }
  PhaseTimes& times() { return recorder_->times(); }

  // The checkpoint to resume from; empty for a new run. Release it once the roles have loaded it.
  // It has no shards if this run has a different number of them: environments then start new
  // episodes.
  std::optional<Checkpoint>& resumed() { return resumed_; }
  // ShardPlace::replacement of the first shards, so that new episodes draw from new random streams.
  int first_replacement() const { return first_replacement_; }
  // Starts the side learner (see TrainingState) from the resumed checkpoint, if there is one.
  void StartSideLearner(std::unique_ptr<SideLearner> learner);

  // Called when the roles are ready.
  void Start();
  // Called between commands: stops the run if it is `interrupted` or its time is up, and requests a
  // recovery checkpoint if the last one is old.
  void OnTick(bool interrupted);
  // Records an update and informs the loop.
  void OnUpdate(const UpdateReport& report);
  // Records an evaluation, informs the loop, and saves the policy if it is the best so far.
  void OnEvaluation(const EvaluationReport& report);
  // Completes and writes a checkpoint that has the states of the learner and of the shards. If it
  // cannot be written, the last one is kept, and the run continues unless run.stop_on_failed_save.
  void SaveCheckpoint(Checkpoint checkpoint, const std::string& torch_file);
  // Writes weights.pt of the resumed checkpoint, which a killed process may not have written.
  void RestoreWeightsFile(const std::string& torch_file);
  // Called when the loop is over. An Error if its last checkpoint could not be written.
  void Finish();

 private:
  // Returns messages.
  std::vector<std::string> Resume(const Options& options);
  std::string WhyStop(bool interrupted) const;
  // Returns whether the newest checkpoint must stay one from before updates that look diverged, so
  // that the run or a person can return to it.
  bool ReturnsToAnEarlierOne() const;
  // Continues in the place that the run's folder was moved to; returns whether it was.
  bool FollowFolder();
  // Returns whether a checkpoint taken now is the run's last.
  bool IsLast() const;
  // Epoch of the newest checkpoint on disk.
  std::optional<int64_t> SavedEpoch() const;
  void WriteCheckpoint(const Checkpoint& checkpoint, const std::string& torch_file);
  // Derives the time limits from the settings and `here_s`, this process's own limit.
  void SetTimeLimits(std::optional<double> here_s);
  // Returns the share of its length that the run has used; 0 if time is not its limit.
  double TimeShare() const;
  // Tells the loop this share.
  void PassTime();

  Config config_;
  RunFolder folder_;
  EnvSpec spec_;
  RunPlan plan_;
  CheckpointStore checkpoints_;
  TrainingState state_;
  JsonlSink* metrics_ = nullptr;  // owned by the recorder
  std::unique_ptr<RunRecorder> recorder_;
  std::optional<Tracker> tracker_;  // set if run.wandb names a project
  std::optional<Checkpoint> resumed_;
  int first_replacement_ = 0;
  double length_s_ = 0;      // length of the run if time is its only limit; schedules follow it
  double limit_here_s_ = 0;  // time after which this process interrupts the run; 0: none
  bool time_is_up_ = false;
  bool new_best_ = false;                   // the next checkpoint is the best, not yet saved
  std::optional<Checkpoint> unsaved_best_;  // written with the next save
  std::optional<int64_t> saved_epoch_;      // epoch of the last checkpoint written
  std::string save_error_;                  // error of the last save; empty: none
  Stopwatch since_checkpoint_;
  Stopwatch since_report_;      // requested by log_interval_s
  Stopwatch since_evaluation_;  // requested by evaluation.interval_s
};

}  // namespace dray
