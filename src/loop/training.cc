#include "src/loop/training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/memory.h"
#include "src/config/dump.h"
#include "src/config/yaml_loader.h"
#include "src/envs/registry.h"
#include "src/loop/loop_report.h"
#include "src/loop/loop_settings.h"
#include "src/metrics/format.h"
#include "src/metrics/jsonl_sink.h"
#include "src/metrics/table.h"
#include "src/metrics/tensorboard_sink.h"

namespace dray {
namespace {

// What may change between a checkpoint and the run that goes on from it.
bool MayChange(const std::string& path) {
  for (const char* prefix :
       {"run.", "evaluation.", "train.epochs", "train.episodes", "train.total_steps",
        "train.duration_s", "train.early_stop", "scale.threads", "scale.learner_threads",
        "scale.envs_per_shard", "scale.num_workers", "ray."}) {
    if (path.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

Training::Training(const Options& options)
    : config_(options.config),
      folder_(config_, options.resume),
      spec_(SpecOf(config_.env())),
      plan_(MakePlan(config_, spec_, options.most_shards)),
      loop_(LoopSettingsOf(config_, plan_)),
      episodes_(spec_.episode_stats),
      envs_(spec_, plan_.num_envs),
      early_stop_(config_.train().early_stop(), spec_),
      rollout_stats_(spec_.rollout_stats),
      checkpoints_(folder_.checkpoints(),
                   {config_.run().keep_checkpoints(), config_.run().milestone_interval()}),
      best_return_(std::numeric_limits<double>::quiet_NaN()) {
  config_.mutable_run()->set_dir(folder_.path());
  std::vector<std::string> damaged;
  if (options.resume && !checkpoints_.empty()) {
    CheckpointStore::Found found = checkpoints_.LoadNewest();
    damaged = std::move(found.damaged);
    resumed_ = std::move(found.checkpoint);
    Resume(options);
  }
  WriteFileAtomically(folder_.config_file(), DumpYaml(config_));
  const int64_t epoch = resumed_ ? resumed_->epoch : -1;
  terminal_ = std::make_unique<TerminalSink>(*options.out, options.style, Header(options.device));
  for (const std::string& reason : damaged) {
    terminal_->Say(Cat(reason, ": going on from the newest good checkpoint, epoch ", epoch));
  }
  if (options.resume && !resumed_) {
    terminal_->Say(
        Cat("No checkpoint yet in ", folder_.checkpoints(), ": starting at the beginning"));
  }
  if (resumed_ && resumed_->shards.size() != plan_.shard_sizes.size()) {
    terminal_->Say(Cat("The checkpoint has ", resumed_->shards.size(), " shards, this run ",
                       plan_.shard_sizes.size(), ": environments begin new episodes"));
    resumed_->shards.clear();
    first_replacement_ = static_cast<int>(resumed_->epoch) + 1;
  }
  for (const std::string& note : spec_.notes) terminal_->Say("Note: " + note);
  for (const std::string& warning : plan_.warnings) terminal_->Say("Note: " + warning);
  sinks_.push_back(std::make_unique<JsonlSink>(folder_.metrics_file(), epoch));
  if (config_.run().tensorboard()) {
    sinks_.push_back(std::make_unique<TensorBoardSink>(
        folder_.path(),
        options.resume ? std::optional(loop_.counters().total_steps) : std::nullopt));
  }
}

void Training::Resume(const Options& options) {
  Config trained_with;
  LoadYamlText(resumed_->config_yaml, "the checkpoint's config", &trained_with);
  for (const ChangedKey& key : ChangedKeys(trained_with, config_)) {
    if (MayChange(key.path)) continue;
    throw UsageError(options.where_set(key.path), ": ", key.path,
                     " changed since the checkpoint, from ", key.before, " to ", key.after,
                     ": set it back, or start a new run in another --run-dir");
  }
  loop_.Load(resumed_->loop);
  ByteReader in(resumed_->episodes, "the saved episodes");
  episodes_.Load(in);
  envs_.Load(in);
  elapsed_before_s_ = resumed_->elapsed_s;
  reported_elapsed_s_ = elapsed_before_s_;
  best_return_ = resumed_->best_return;
  reported_steps_ = loop_.counters().total_steps;
  progress_at_start_ = loop_.progress();
  side_epoch_ = loop_.counters().epochs;
}

RunHeader Training::Header(const std::string& device) const {
  RunHeader header;
  header.environment = spec_.name;
  header.num_envs = plan_.num_envs;
  header.num_shards = static_cast<int64_t>(plan_.shard_sizes.size());
  header.runner = config_.run().runner() == RAY ? "ray" : "local";
  header.device = device;
  header.episodes = config_.train().epochs() > 0 || config_.train().total_steps() > 0
                        ? 0
                        : config_.train().episodes();
  header.total_steps = config_.train().epochs() > 0 ? 0 : config_.train().total_steps();
  header.epochs = plan_.epochs;
  header.duration_s = config_.train().duration_s();
  header.epoch_episodes = spec_.fixed_length ? plan_.num_envs : 0;
  header.epoch_steps_per_env = plan_.rollout_steps;
  header.seed = config_.train().seed();
  header.run_dir = folder_.path();
  header.resumed_from_epoch = loop_.counters().epochs;
  return header;
}

void Training::OnBatch(const RolloutSummary& summary) {
  for (const Episode& episode : summary.news.episodes) {
    if (std::exchange(latest_update_done_, false)) latest_episodes_.clear();
    episodes_.Add(episode);
    latest_episodes_.push_back(episode);
    envs_.Add(summary.origin.first_env + episode.env, episode);
  }
  times_.shards_s += summary.origin.rollout_s;
  times_.oracle_s += summary.origin.oracle_s;
  oracle_splits_ += summary.origin.oracle_splits;
  rollout_stats_.Add(summary.news.rollout_stats);
}

void Training::OnActor(const ActorAccount& account) {
  const auto known = std::ranges::find(actors_, account.name, &ActorAccount::name);
  known == actors_.end() ? actors_.push_back(account) : void(*known = account);
}

void Training::OnUpdate(const UpdateReport& report) {
  last_update_ = report;
  latest_update_done_ = true;
  learner_splits_ += report.splits;
  if (const std::string reached = early_stop_.OnUpdate(latest_episodes_, envs_.fewest_episodes());
      !reached.empty()) {
    Say(reached);
    loop_.ReachGoal();
  }
}

bool Training::SideUpdateDue(int epochs) {
  const int64_t before = std::exchange(side_epoch_, loop_.counters().epochs);
  return side_epoch_ / epochs > before / epochs;
}

void Training::OnEvaluation(const EvaluationReport& report) {
  const double mean = report.mean_return();
  if (std::isnan(best_return_) || mean > best_return_) {
    best_return_ = mean;
    new_best_ = true;
    loop_.RequestCheckpoint();
  }
  evaluation_ = report;
}

void Training::RecordTimes(Report& report) {
  const PhaseTimes times = std::exchange(times_, {});
  total_times_ += times;
  const double elapsed_s = this->elapsed_s();
  const int64_t steps = loop_.counters().total_steps;
  report.Record("time/rollout_s", times.rollout_s);
  report.Record("time/shards_s", times.shards_s);
  report.Record("time/oracle_s", times.oracle_s);
  report.Record("time/transfer_s", times.transfer_s);
  report.Record("time/learn_s", times.learn_s);
  report.Record("time/weights_s", times.weights_s);
  report.Record("time/evaluate_s", times.evaluate_s);
  report.Record("time/checkpoint_s", times.checkpoint_s);
  report.Record("time/elapsed_s", elapsed_s);
  report.Record("time/steps_per_s",
                static_cast<double>(steps - reported_steps_) / (elapsed_s - reported_elapsed_s_));
  report.Record("time/eta_s", EtaSeconds());
  report.Record("memory/rss_mb", ResidentMegabytes());
  report.Record("memory/oracle_splits", static_cast<double>(oracle_splits_));
  report.Record("memory/learner_splits", static_cast<double>(learner_splits_));
  reported_elapsed_s_ = elapsed_s;
  reported_steps_ = steps;
}

double Training::EtaSeconds() const {
  const double done = loop_.progress() - progress_at_start_;
  double eta_s = done > 0 ? clock_.seconds() * (1 - loop_.progress()) / done
                          : std::numeric_limits<double>::quiet_NaN();
  if (config_.train().duration_s() > 0) {
    eta_s = std::fmin(eta_s, std::max(0.0, config_.train().duration_s() - clock_.seconds()));
  }
  return eta_s;
}

Report Training::EmitReport() {
  const Report report = MakeReport();
  for (const auto& sink : sinks_) sink->Write(report);
  terminal_->Write(report);
  return report;
}

void Training::RecordActors(Report& report) {
  for (const ActorAccount& actor : actors_) {
    const std::string prefix = Cat(kActorPrefix, actor.name, "/");
    report.Record(prefix + "busy_s", actor.busy_s);
    report.Record(prefix + "waiting_s", actor.waiting_s);
    report.Record(prefix + "transfer_s", actor.transfer_s);
    report.Record(prefix + "memory_mb", actor.memory_mb);
  }
  if (!weights_latencies_s_.empty()) {
    std::ranges::sort(weights_latencies_s_);
    report.Record("time/weights_latency_ms",
                  1e3 * weights_latencies_s_[weights_latencies_s_.size() / 2]);
    weights_latencies_s_.clear();
  }
}

Report Training::MakeReport() {
  Report report;
  RecordCounters(loop_, report);
  episodes_.RecordInto(report);
  rollout_stats_.TakeInto(report);
  envs_.RecordInto(report);
  RecordUpdate(last_update_, report);
  RecordLosses(loop_.counters(), report);
  if (evaluation_) RecordEvaluation(*evaluation_, report);
  evaluation_.reset();
  RecordTimes(report);
  RecordActors(report);
  reported_epoch_ = report.epoch;
  return report;
}

void Training::OnTick() {
  if (config_.run().recovery_interval_s() > 0 &&
      since_checkpoint_.seconds() > config_.run().recovery_interval_s()) {
    loop_.RequestCheckpoint();
  }
}

std::string Training::WhyStop(bool interrupted) const {
  if (loop_.stopping() || loop_.finished()) return "";
  if (interrupted) {
    return "Stopping after this epoch, with a checkpoint; press Ctrl-C again to quit at once";
  }
  const double limit_s = config_.train().duration_s();
  return limit_s > 0 && clock_.seconds() >= limit_s ? "Time is up: stopping after this epoch" : "";
}

void Training::SaveCheckpoint(RoleStates states) {
  Checkpoint checkpoint;
  checkpoint.epoch = loop_.counters().epochs;
  checkpoint.elapsed_s = elapsed_s();
  checkpoint.best_return = best_return_;
  checkpoint.config_yaml = DumpYaml(config_);
  checkpoint.loop = loop_.Save();
  checkpoint.learner = std::move(states.learner);
  checkpoint.weights = std::move(states.weights);
  checkpoint.shards = std::move(states.shards);
  checkpoint.side_learner = std::move(states.side_learner);
  checkpoint.learned = std::move(states.learned);
  ByteWriter episodes;
  episodes_.Save(episodes);
  envs_.Save(episodes);
  checkpoint.episodes = episodes.Take();
  const int interval = config_.run().save_interval();
  const bool numbered =
      loop_.stopping() || loop_.progress() >= 1 ||
      (interval > 0 && checkpoint.epoch % interval < config_.ppo().update_interval());
  numbered ? checkpoints_.SaveNumbered(checkpoint) : checkpoints_.SaveRecovery(checkpoint);
  if (std::exchange(new_best_, false)) checkpoints_.SaveBest(checkpoint);
  WriteFileAtomically(folder_.weights_file(), states.torch_file);
  since_checkpoint_.Restart();
}

void Training::StartClock() {
  clock_.Restart();
  since_checkpoint_.Restart();
}

void Training::Status(const std::string& phase) {
  RunStatus status;
  status.progress = loop_.progress();
  status.phase = phase;
  status.eta_s = EtaSeconds();
  const double here_s = elapsed_s() - reported_elapsed_s_;
  status.steps_per_s = static_cast<double>(loop_.counters().total_steps - reported_steps_) / here_s;
  terminal_->Status(status);
}

void Training::Say(const std::string& line) {
  std::vector<std::string> later;
  {
    const std::lock_guard lock(later_mutex_);
    later = std::exchange(later_, {});
  }
  for (const std::string& earlier : later) terminal_->Say(earlier);
  if (!line.empty()) terminal_->Say(line);
}

void Training::SayLater(std::string line) {
  const std::lock_guard lock(later_mutex_);
  later_.push_back(std::move(line));
}

std::optional<Checkpoint> Training::NewestCheckpoint() const {
  if (checkpoints_.empty()) return std::nullopt;
  try {
    return checkpoints_.LoadNewest().checkpoint;
  } catch (const Error&) {
    return std::nullopt;  // none of them is whole
  }
}

std::string Training::TimesText() const {
  const double all_s = clock_.seconds();
  std::string text = Cat("Where the time went (", FormatDuration(all_s), "):");
  const auto phase = [&](const char* name, double seconds) {
    text += Cat(" ", name, " ", FormatPercent(seconds / all_s), ",");
  };
  phase("rollout", total_times_.rollout_s);
  phase("learning", total_times_.learn_s);
  phase("transfer", total_times_.transfer_s + total_times_.weights_s);
  phase("evaluation", total_times_.evaluate_s);
  phase("checkpoints", total_times_.checkpoint_s);
  text.pop_back();
  return actors_.empty() ? text : Cat(text, "\n", ActorTable(actors_));
}

void Training::Finish() {
  const LoopCounters& counters = loop_.counters();
  if (progress_at_start_ >= 1 && counters.goal_reached != 0) {
    terminal_->Say(Cat("Nothing to do: this run reached its goal (train.early_stop) after ",
                       counters.epochs, " epochs"));
  } else if (progress_at_start_ >= 1) {
    terminal_->Say(Cat("Nothing to do: this run is finished, after ", counters.epochs,
                       " epochs; to go on, raise its limit (--epochs, --total-steps, --episodes)"));
  } else if (loop_.progress() >= 1) {
    terminal_->Say(TimesText());
    terminal_->Finish(Cat("Finished after ", counters.epochs, " epochs"));
  } else {
    // What no report has shown yet is for the person alone: files hold the same reports as if the
    // run had not been stopped.
    if (counters.epochs > reported_epoch_) terminal_->Write(MakeReport());
    terminal_->Say(TimesText());
    terminal_->Finish(
        Cat("Stopped after ", counters.epochs, " epochs; go on with --resume ", folder_.path()));
  }
}

}  // namespace dray
