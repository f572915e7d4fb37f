#include "src/loop/run_recorder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/base/memory.h"
#include "src/loop/loop_report.h"
#include "src/metrics/table.h"
#include "src/output/format.h"

namespace dray {

RunRecorder::RunRecorder(const Config& config, TrainingState& state, double limit_here_s,
                         std::unique_ptr<TerminalSink> terminal, std::vector<NamedSink> sinks)
    : config_(config),
      state_(state),
      limit_here_s_(limit_here_s),
      terminal_(std::move(terminal)),
      sinks_(std::move(sinks)),
      failed_writes_([this](const std::string& line) { Say(line); }) {}

void RunRecorder::Start() {
  progress_at_start_ = state_.coordinator().progress();
  reported_.elapsed_s = state_.elapsed_s();
  reported_.steps = state_.coordinator().counters().total_steps;
}

void RunRecorder::OnFolder(const std::string& path) {
  terminal_->set_run_dir(path);
  Say(Cat("The run's folder is now ", path, ": the run continues there"));
}

void RunRecorder::OnActor(const ActorAccount& account) {
  const auto known = std::ranges::find(actors_, account.name, &ActorAccount::name);
  known == actors_.end() ? actors_.push_back(account) : void(*known = account);
}

// --- Reports

Report RunRecorder::EmitReport() {
  const Report report = MakeReport();
  for (const auto& [name, sink] : sinks_) {
    failed_writes_.Try(name, [&] { sink->Write(report); });
  }
  terminal_->Write(report);
  return report;
}

Report RunRecorder::MakeReport() {
  Report report;
  state_.TakeInto(report);
  if (evaluation_) RecordEvaluation(*evaluation_, state_.stat_names(), report);
  evaluation_.reset();
  RecordTimes(report);
  RecordActors(report);
  reported_ = {state_.elapsed_s(), state_.coordinator().counters().total_steps, report.epoch};
  return report;
}

void RunRecorder::RecordTimes(Report& report) {
  const PhaseTimes times = std::exchange(times_, {});
  total_times_ += times;
  report.Record("time/rollout_s", times.rollout_s);
  report.Record("time/transfer_s", times.transfer_s);
  report.Record("time/learn_s", times.learn_s);
  report.Record("time/weights_s", times.weights_s);
  report.Record("time/evaluate_s", times.evaluate_s);
  report.Record("time/checkpoint_s", times.checkpoint_s);
  report.Record("time/elapsed_s", state_.elapsed_s());
  report.Record("time/steps_per_s", StepsPerSecond());
  report.Record("time/eta_s", EtaSeconds());
  report.Record("cpu/busy", cpu_use_.TakeShare());
  report.Record("memory/rss_mb", ResidentMegabytes());
  if (gpu_use_.has_gpus()) {
    report.Record("gpu/busy", gpu_use_.TakeShare());
    report.Record("memory/gpu_mb", gpu_use_.MemoryMegabytes());
  }
  report.Record("writes/failed", failed_writes_.count() + terminal_->failed_writes());
}

void RunRecorder::RecordActors(Report& report) const {
  for (const ActorAccount& actor : actors_) {
    const std::string prefix = Cat(kActorPrefix, actor.name, "/");
    report.Record(prefix + "busy_s", actor.busy_s);
    report.Record(prefix + "waiting_s", actor.waiting_s);
    report.Record(prefix + "transfer_s", actor.transfer_s);
    report.Record(prefix + "memory_mb", actor.memory_mb);
  }
}

double RunRecorder::StepsPerSecond() const {
  const int64_t steps = state_.coordinator().counters().total_steps - reported_.steps;
  return static_cast<double>(steps) / (state_.elapsed_s() - reported_.elapsed_s);
}

double RunRecorder::EtaSeconds() const {
  const double progress = state_.coordinator().progress();
  const double done = progress - progress_at_start_;
  const double eta_s = done > 0 ? state_.seconds_here() * (1 - progress) / done
                                : std::numeric_limits<double>::quiet_NaN();
  if (limit_here_s_ == 0) return eta_s;
  return std::fmin(eta_s, std::max(0.0, limit_here_s_ - state_.seconds_here()));
}

// --- For a person

void RunRecorder::Status(const std::string& phase) {
  RunStatus status;
  status.progress = state_.coordinator().progress();
  status.phase = phase;
  status.eta_s = EtaSeconds();
  status.steps_per_s = StepsPerSecond();
  terminal_->Status(status);
}

void RunRecorder::Say(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) terminal_->Say(line);
}

std::string RunRecorder::TimesText() const {
  const double all_s = state_.seconds_here();
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

void RunRecorder::FinishSinks() {
  for (const auto& [name, sink] : sinks_) failed_writes_.Try(name, [&] { sink->Finish(); });
}

void RunRecorder::Finish() {
  const LoopCounters& counters = state_.coordinator().counters();
  // Perhaps it was killed before it could tell.
  if (progress_at_start_ >= 1) FinishSinks();
  if (progress_at_start_ >= 1 && counters.goal_reached != 0) {
    Say(Cat("Nothing to do: this run reached its goal (train.early_stop) after ",
            FormatCounted(counters.epochs, "epoch")));
  } else if (progress_at_start_ >= 1) {
    const TrainConfig& train = config_.train();
    const bool by_time = train.epochs() + train.total_steps() + train.episodes() == 0;
    Say(Cat("Nothing to do: this run is finished, after ", FormatCounted(counters.epochs, "epoch"),
            by_time ? "; --duration 5m trains for 5 more minutes"
                    : "; to continue, raise its limit (--epochs, --total-steps or --episodes)"));
  } else if (state_.coordinator().progress() >= 1) {
    FinishSinks();
    Say(TimesText());
    terminal_->Finish(Cat("Finished after ", FormatCounted(counters.epochs, "epoch")));
  } else {
    // What no report has shown yet is for the person alone: files hold the same reports as if the
    // run had not been stopped.
    if (counters.epochs > reported_.epoch) terminal_->Write(MakeReport());
    Say(TimesText());
    terminal_->Finish(Cat("Stopped after ", FormatCounted(counters.epochs, "epoch"),
                          "; continue with: ", CommandLine("train"), " --resume ",
                          ShellWord(config_.run().dir())));
  }
}

}  // namespace dray
