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
#include "src/metrics/jsonl_sink.h"
#include "src/metrics/terminal_sink.h"

namespace dray {

// A training run in its folder, apart from where its roles live: its state, what is recorded of it,
// and its checkpoints. A runner does the loop's commands and tells this object what came of them.
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
  const RunFolder& folder() const { return folder_; }
  const RunPlan& plan() const { return plan_; }
  const EnvSpec& spec() const { return spec_; }
  const Coordinator& coordinator() const { return state_.coordinator(); }
  TrainingState& state() { return state_; }
  TrainingLoop& loop() { return state_.loop(); }
  RunRecorder& recorder() { return *recorder_; }
  PhaseTimes& times() { return recorder_->times(); }

  // What the run goes on from; empty for a new run. To be released when the roles have taken it. It
  // has no shards when this run has another number of them: environments then begin new episodes.
  std::optional<Checkpoint>& resumed() { return resumed_; }
  // ShardPlace::replacement of the first shards: new episodes draw from new random streams.
  int first_replacement() const { return first_replacement_; }
  // As TrainingState's, with what the run goes on from.
  void StartSideLearner(std::unique_ptr<SideLearner> learner);

  // Roles are ready.
  void Start();
  // To be called between commands: stops the run when it is `interrupted` or its time is up, and
  // asks for a recovery checkpoint when the last one is old.
  void OnTick(bool interrupted);
  // These tell the loop as well.
  void OnUpdate(const UpdateReport& report);
  // The best policy so far is saved at once.
  void OnEvaluation(const EvaluationReport& report);
  // Completes a checkpoint that has the states of the learner and of the shards. When it cannot be
  // written, the last one is kept, and the run goes on unless run.stop_on_failed_save is set.
  void SaveCheckpoint(Checkpoint checkpoint, const std::string& torch_file);
  // weights.pt as of the checkpoint that the run goes on from: a process that was killed may not
  // have written it.
  void RestoreWeightsFile(const std::string& torch_file);
  // The loop is over. An Error when its last checkpoint could not be written.
  void Finish();

 private:
  // Lines for a person.
  std::vector<std::string> Resume(const Options& options);
  std::string WhyStop(bool interrupted) const;
  // The newest checkpoint stays one from before updates that look diverged: the run may be told to
  // end there, or a person to start from it.
  bool ReturnsToAnEarlierOne() const;
  // Goes on where the run's folder was moved to; whether it was.
  bool FollowFolder();
  // Whether a checkpoint that is taken now is the run's last one.
  bool IsLast() const;
  // Of the newest checkpoint that is there.
  std::optional<int64_t> SavedEpoch() const;
  void WriteCheckpoint(const Checkpoint& checkpoint, const std::string& torch_file);
  // Nothing is counted: the run is as long as its time, and so are its schedules.
  bool TimeIsTheLimit() const;
  // Tells the loop how much of its time such a run has used.
  void PassTime();

  Config config_;
  RunFolder folder_;
  EnvSpec spec_;
  RunPlan plan_;
  CheckpointStore checkpoints_;
  TrainingState state_;
  JsonlSink* metrics_ = nullptr;  // the recorder's
  std::unique_ptr<RunRecorder> recorder_;
  std::optional<Tracker> tracker_;  // where run.wandb names a project
  std::optional<Checkpoint> resumed_;
  int first_replacement_ = 0;
  bool time_is_up_ = false;
  bool new_best_ = false;                   // and not yet saved: it is what the next checkpoint has
  std::optional<Checkpoint> unsaved_best_;  // to go with the next save
  std::optional<int64_t> saved_epoch_;      // of the last one that was written
  std::string save_error_;                  // of the last save; empty: it worked
  Stopwatch since_checkpoint_;
};

}  // namespace dray
