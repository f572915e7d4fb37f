#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/evaluation_report.h"
#include "src/loop/actor_account.h"
#include "src/loop/cpu_use.h"
#include "src/loop/gpu_use.h"
#include "src/loop/phase_times.h"
#include "src/loop/training_state.h"
#include "src/metrics/report.h"
#include "src/output/failed_writes.h"
#include "src/output/terminal_sink.h"

namespace dray {

// Reports the progress of a run to files and to the terminal: reports, a status line, messages, and
// at the end how the time was spent. A report that cannot be written does not end the run.
class RunRecorder {
 public:
  struct NamedSink {
    std::string name;  // used in messages
    std::unique_ptr<ReportSink> sink;
  };
  // Keeps references to config and state. `limit_here_s` is the time after which this process
  // interrupts the run; 0: none.
  RunRecorder(const Config& config, TrainingState& state, double limit_here_s,
              std::unique_ptr<TerminalSink> terminal, std::vector<NamedSink> sinks);

  // Starts or continues the run from the current state.
  void Start();

  // Time that the runner spent since the last report.
  PhaseTimes& times() { return times_; }
  void OnEvaluation(const EvaluationReport& report) { evaluation_ = report; }
  // Called when the run continues in another folder.
  void OnFolder(const std::string& path);
  // Replaces the account of the actor of that name.
  void OnActor(const ActorAccount& account);

  Report EmitReport();
  void Status(const std::string& phase);
  // Prints a line. Thread-safe.
  void Say(const std::string& line) { terminal_->Say(line); }
  void Say(const std::vector<std::string>& lines);
  // Called when the run is over or was stopped.
  void Finish();

  // Files of the run that could not be written.
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
  const double limit_here_s_;
  std::unique_ptr<TerminalSink> terminal_;
  std::vector<NamedSink> sinks_;
  FailedWrites failed_writes_;
  std::optional<EvaluationReport> evaluation_;  // not yet reported
  std::vector<ActorAccount> actors_;            // newest account of each, ordered by name
  PhaseTimes times_;                            // not yet reported
  PhaseTimes total_times_;                      // sum over all reports
  Reported reported_;                           // content of the last report
  double progress_at_start_ = 0;
  CpuUse cpu_use_;
  GpuUse gpu_use_;
};

}  // namespace dray
