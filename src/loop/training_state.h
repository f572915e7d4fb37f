#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

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
#include "src/loop/stopwatch.h"
#include "src/loop/training_loop.h"
#include "src/metrics/report.h"

namespace dray {

// How far a training run is, apart from its roles and from what is written about it: the loop, the
// episodes so far, the side learner, the clock. Whoever turns the loop tells it what happened.
class TrainingState {
 public:
  // Config and plan are referred to, not copied.
  TrainingState(const Config& config, const EnvSpec& spec, const RunPlan& plan,
                const LoopSettings& settings, Ticket first_ticket = 0);

  TrainingLoop& loop() { return loop_; }
  const Coordinator& coordinator() const { return loop_.coordinator(); }

  // Learns beside the policy from now on; null: nothing does.
  void StartSideLearner(std::unique_ptr<SideLearner> learner);
  // What the side learner published last; empty when there is none.
  std::shared_ptr<const std::string> side_model() const;

  // An update is done, from the rollouts that the loop chose for it. Returns lines for a person.
  std::vector<std::string> OnUpdate(const UpdateReport& report);
  // The newest policy may be on its way astray: not one to return to.
  bool looks_diverged() const { return last_update_.divergence != Divergence::kNone; }
  // Whether it is the best evaluation so far.
  bool OnEvaluation(const EvaluationReport& report);
  // From any thread: an actor that the loop does not direct was lost and replaced.
  void OnOtherLost(std::string line);
  // Tells the loop of these; returns their lines.
  std::vector<std::string> CountOthersLost();

  // The metrics of the run since the last call, without those of its runner.
  void TakeInto(Report& report);
  // What the task calls the statistics of its episodes.
  const std::vector<std::string>& stat_names() const { return episodes_.stat_names(); }
  // The episodes that ended in the rollouts of the latest update that had any.
  const std::vector<Episode>& latest_episodes() const { return latest_episodes_; }

  // Roles are ready: what they took to start is not the training's time.
  void StartClock() { clock_.Restart(); }
  // Seconds of training in this process; and with those before a resume.
  double seconds_here() const { return clock_.seconds(); }
  double elapsed_s() const { return elapsed_before_s_ + clock_.seconds(); }

  // Completes a checkpoint that has the states of the learner and of the shards.
  void SaveInto(Checkpoint& checkpoint);
  // An Error when the checkpoint is damaged: its parts do not agree. The side learner takes its
  // part when it was started before; else LoadSideLearner does.
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
  int64_t best_epoch_ = 0;  // of that evaluation
  Stopwatch clock_;
  double elapsed_before_s_ = 0;
  std::mutex others_lost_mutex_;
  std::vector<std::string> others_lost_;     // a line of each that the loop was not yet told of
  std::unique_ptr<SideLearnerThread> side_;  // null: the task has no side learner
};

}  // namespace dray
