#include "src/loop/training_state.h"

#include <cmath>
#include <limits>
#include <utility>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/config/dump.h"
#include "src/loop/check_counters.h"
#include "src/loop/loop_report.h"

namespace dray {

TrainingState::TrainingState(const Config& config, const EnvSpec& spec, const RunPlan& plan,
                             const LoopSettings& settings, Ticket first_ticket)
    : config_(config),
      plan_(plan),
      loop_(settings, first_ticket),
      episodes_(spec.episode_stats),
      envs_(spec, plan.num_envs),
      early_stop_(config.train().early_stop(), spec),
      metrics_(spec.rollout_stats),
      best_return_(std::numeric_limits<double>::quiet_NaN()) {}

void TrainingState::StartSideLearner(std::unique_ptr<SideLearner> learner) {
  if (learner) side_ = std::make_unique<SideLearnerThread>(std::move(learner));
}

std::shared_ptr<const std::string> TrainingState::side_model() const {
  static const auto none = std::make_shared<const std::string>();
  return side_ ? side_->published() : none;
}

std::vector<std::string> TrainingState::OnUpdate(const UpdateReport& report) {
  std::vector<std::string> lines;
  if (std::string line = DivergenceLine(report, last_update_, config_.ppo().on_divergence());
      !line.empty()) {
    lines.push_back(std::move(line));
  }
  last_update_ = report;
  for (const auto& [name, value] : report.metrics.values) {
    if (FindMetric(name)->combine != Combine::kLast) metrics_.Add(name, value);
  }
  std::vector<Episode> ended;
  for (RolloutSummary& rollout : loop_.TakeLearnedFrom()) {
    for (const Episode& episode : rollout.episodes) {
      episodes_.Add(episode);
      envs_.Add(rollout.origin.first_env + episode.env, episode);
      ended.push_back(episode);
    }
    metrics_.Add(rollout.metrics);
    if (side_) side_->Add(std::move(rollout.side_samples));
  }
  if (!ended.empty()) latest_episodes_ = std::move(ended);
  if (std::string goal = early_stop_.OnUpdate(latest_episodes_, envs_.fewest_episodes());
      !goal.empty()) {
    lines.push_back(std::move(goal));
    loop_.coordinator().ReachGoal();
  }
  const int64_t epochs_before = coordinator().counters().epochs;
  const int64_t version_before = coordinator().counters().policy_version;
  loop_.Tell(Updated{report.version});
  if (coordinator().counters().policy_version == version_before) {
    // The loop would wait for ever for another update.
    throw Failure("the run makes no progress: an update published policy version ", report.version,
                  ", and the loop has seen ", version_before,
                  "; resume from an earlier checkpoint, in a copy of the run folder without the "
                  "newest one");
  }
  if (!side_) return lines;
  const int64_t epochs = coordinator().counters().epochs;
  if (epochs / side_->update_epochs() > epochs_before / side_->update_epochs()) side_->Update();
  for (std::string& line : side_->TakeLines()) lines.push_back(std::move(line));
  return lines;
}

bool TrainingState::OnEvaluation(const EvaluationReport& report) {
  const double mean = report.mean_return();
  const bool best = std::isnan(best_return_) || mean > best_return_;
  if (!best) return false;
  best_return_ = mean;
  best_epoch_ = coordinator().counters().epochs;
  return true;
}

void TrainingState::OnOtherLost(std::string line) {
  const std::lock_guard lock(others_lost_mutex_);
  others_lost_.push_back(std::move(line));
}

std::vector<std::string> TrainingState::CountOthersLost() {
  std::vector<std::string> lines;
  {
    const std::lock_guard lock(others_lost_mutex_);
    lines = std::exchange(others_lost_, {});
  }
  for (size_t i = 0; i < lines.size(); ++i) loop_.Tell(OtherLost{});
  return lines;
}

void TrainingState::TakeInto(Report& report) {
  RecordCounters(coordinator(), report);
  episodes_.RecordInto(report);
  envs_.RecordInto(report);
  RecordUpdate(last_update_, report);
  RecordLosses(coordinator(), report);
  metrics_.TakeInto(report);
}

void TrainingState::SaveInto(Checkpoint& checkpoint) {
  checkpoint.epoch = coordinator().counters().epochs;
  checkpoint.elapsed_s = elapsed_s();
  checkpoint.best_return = best_return_;
  checkpoint.best_epoch = best_epoch_;
  checkpoint.config_yaml = Cat("# Dray ", kVersion, "\n", DumpYaml(config_));
  checkpoint.loop = coordinator().Save();
  ByteWriter episodes;
  episodes_.Save(episodes);
  envs_.Save(episodes);
  checkpoint.episodes = episodes.Take();
  if (!side_) return;
  checkpoint.side_learner = side_->Save();
  checkpoint.side_model = *side_->published();
}

void TrainingState::Load(const Checkpoint& checkpoint) {
  loop_.coordinator().Load(checkpoint.loop);
  CheckCounters(coordinator().counters(), checkpoint, config_.ppo().update_interval(), plan_);
  ByteReader in(checkpoint.episodes, "the saved episodes");
  episodes_.Load(in);
  // Checkpoints from Python once ended here.
  if (!in.AtEnd()) envs_.Load(in);
  in.ExpectEnd();
  elapsed_before_s_ = checkpoint.elapsed_s;
  best_return_ = checkpoint.best_return;
  best_epoch_ = checkpoint.best_epoch;
  LoadSideLearner(checkpoint);
}

void TrainingState::LoadSideLearner(const Checkpoint& checkpoint) {
  if (side_) side_->Load(checkpoint.side_learner);
}

}  // namespace dray
