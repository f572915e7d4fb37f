#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "src/base/stopwatch.h"
#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/evaluation_report.h"
#include "src/env/side_learner.h"
#include "src/learn/update_report.h"
#include "src/loop/checkpoint.h"
#include "src/loop/early_stop.h"
#include "src/loop/env_accounts.h"
#include "src/loop/episode_window.h"
#include "src/loop/metric_accumulator.h"
#include "src/loop/run_plan.h"
#include "src/loop/side_learner_thread.h"
#include "src/loop/training_loop.h"
#include "src/metrics/report.h"

namespace dray {

// Progress of a training run, apart from its roles and its record: the loop, the episodes so far,
// the side learner, the clock. The runner reports to it what happened.
class TrainingState {
 public:
  // Keeps references to config and plan.
  TrainingState(const Config& config, const EnvSpec& spec, const RunPlan& plan,
                const LoopSettings& settings, Ticket first_ticket = 0);

  TrainingLoop& loop() { return loop_; }
  const Coordinator& coordinator() const { return loop_.coordinator(); }

  // Starts the side learner; null: the task has none.
  void StartSideLearner(std::unique_ptr<SideLearner> learner);
  bool has_side_learner() const { return side_ != nullptr; }
  // The newest model of the side learner; empty if there is none.
  std::shared_ptr<const std::string> side_model() const;

  // Called after an update from the rollouts that the loop chose. Returns messages.
  std::vector<std::string> OnUpdate(const UpdateReport& report);
  // Returns whether the newest policy may have diverged.
  bool looks_diverged() const { return last_update_.divergence != Divergence::kNone; }
  // Returns whether it is the best evaluation so far.
  bool OnEvaluation(const EvaluationReport& report);
  // Called when an actor that the loop does not direct was lost and replaced. Thread-safe.
  void OnOtherLost(std::string line);
  // Reports those losses to the loop; returns their lines.
  std::vector<std::string> CountOthersLost();

  // Records the metrics of the run since the last call, without those of its runner.
  void TakeInto(Report& report);
  // Names of the task's episode statistics.
  const std::vector<std::string>& stat_names() const { return episodes_.stat_names(); }
  // Episodes of the latest update in whose rollouts any ended.
  const std::vector<Episode>& latest_episodes() const { return latest_episodes_; }

  // Called when the roles are ready: their start does not count as training time.
  void StartClock() { clock_.Restart(); }
  // Seconds of training in this process, and in total including those before a resume.
  double seconds_here() const { return clock_.seconds(); }
  double elapsed_s() const { return elapsed_before_s_ + clock_.seconds(); }

  // Completes a checkpoint that has the states of the learner and of the shards.
  void SaveInto(Checkpoint& checkpoint);
  // An Error if the parts of the checkpoint do not agree. The side learner is loaded if it was
  // started before; otherwise by LoadSideLearner.
  void Load(const Checkpoint& checkpoint);
  void LoadSideLearner(const Checkpoint& checkpoint);

 private:
  const Config& config_;
  const RunPlan& plan_;
  TrainingLoop loop_;
  EpisodeWindow episodes_;
  EnvAccounts envs_;
  EarlyStop early_stop_;
  MetricAccumulator metrics_;
  std::vector<Episode> latest_episodes_;
  UpdateReport last_update_;
  double best_return_;
  int64_t best_epoch_ = 0;  // epoch of that evaluation
  Stopwatch clock_;
  double elapsed_before_s_ = 0;
  std::mutex others_lost_mutex_;
  std::vector<std::string> others_lost_;     // one line for each not yet reported to the loop
  std::unique_ptr<SideLearnerThread> side_;  // null: the task has no side learner
};

}  // namespace dray
