#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/base/cpu_use.h"
#include "src/base/gpu_use.h"
#include "src/config/config.pb.h"
#include "src/env/evaluation_report.h"
#include "src/loop/actor_account.h"
#include "src/loop/stopwatch.h"
#include "src/loop/training_state.h"
#include "src/metrics/failed_writes.h"
#include "src/metrics/report.h"
#include "src/metrics/terminal_sink.h"

namespace dray {

// Tells how a run goes: reports to files and to the terminal, a status line, lines for a person,
// and at the end where the time went. A report that cannot be written does not end the run.
class RunRecorder {
 public:
  struct NamedSink {
    std::string name;  // for a person
    std::unique_ptr<ReportSink> sink;
  };
  // Config and state are referred to, not copied.
  RunRecorder(const Config& config, TrainingState& state, std::unique_ptr<TerminalSink> terminal,
              std::vector<NamedSink> sinks);

  // The run begins, or goes on, from the state as it is now.
  void Start();

  // Where the runner's time went since the last report.
  PhaseTimes& times() { return times_; }
  void OnEvaluation(const EvaluationReport& report) { evaluation_ = report; }
  // The run goes on in another folder.
  void OnFolder(const std::string& path);
  // Replaces what was known of the actor of that name.
  void OnActor(const ActorAccount& account);

  Report EmitReport();
  void Status(const std::string& phase);
  // From any thread.
  void Say(const std::string& line) { terminal_->Say(line); }
  void Say(const std::vector<std::string>& lines);
  // The run is over, or was stopped.
  void Finish();

  // What of the run's files could not be written.
  FailedWrites& failed_writes() { return failed_writes_; }

 private:
  struct Reported {
    double elapsed_s = 0;
    int64_t steps = 0;
    int64_t epoch = 0;
  };

  Report MakeReport();
  void RecordTimes(Report& report);
  void RecordActors(Report& report) const;
  double StepsPerSecond() const;
  double EtaSeconds() const;
  std::string TimesText() const;
  void FinishSinks();

  const Config& config_;
  TrainingState& state_;
  std::unique_ptr<TerminalSink> terminal_;
  std::vector<NamedSink> sinks_;
  FailedWrites failed_writes_;
  std::optional<EvaluationReport> evaluation_;  // not yet reported
  std::vector<ActorAccount> actors_;            // the newest of each, in order of their names
  PhaseTimes times_;                            // since the last report
  PhaseTimes total_times_;                      // of all reports
  Reported reported_;                           // by the last report
  double progress_at_start_ = 0;
  CpuUse cpu_use_;
  GpuUse gpu_use_;
};

}  // namespace dray
