#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

#include "src/metrics/report.h"
#include "src/output/report_text.h"
#include "src/output/return_trend.h"
#include "src/output/run_header.h"
#include "src/output/status_line.h"

namespace dray {

// Shows a run to a person: a header, one or two lines per report, a summary and, on a terminal, a
// status line with a progress bar. Elsewhere it prints plain lines without escape codes.
// Thread-safe.
class TerminalSink : public ReportSink {
 public:
  using Clock = std::function<double()>;  // monotonic seconds

  // Writes the header. The stream must outlive the sink.
  TerminalSink(std::ostream& out, TerminalStyle style, RunHeader header, Clock clock = SteadyClock);

  void Write(const Report& report) override;

  // Adds a report from before a resume to the best values so far, without showing it.
  void Remember(const Report& report);

  // Redraws the status line, at most ten times per second however often it is called. Elsewhere
  // than on a terminal, prints a line when nothing was printed for 15 seconds.
  void Status(const RunStatus& status);

  // Prints a line of its own between the reports.
  void Say(const std::string& line);

  // Ends the output with a summary of the newest numbers. `outcome` is its first line, such as
  // "Finished: all 15 epochs done" or "Stopped by Ctrl-C".
  void Finish(const std::string& outcome);

  // Sets the run folder that the summary names.
  void set_run_dir(const std::string& path) { header_.run_dir = path; }

  // Number of failed writes to the stream (full disk). The first is reported on stderr; every later
  // line tries again. A closed pipe does not count as a failure.
  int64_t failed_writes() const { return failed_writes_; }

 private:
  static double SteadyClock();
  void Flush();
  void ClearStatus();
  void WriteAdvice(const std::vector<std::string>& advice);

  std::mutex mutex_;
  std::ostream& out_;
  TerminalStyle style_;
  RunHeader header_;
  Clock clock_;
  Paint paint_;
  ReturnTrend trend_;
  Report last_;    // the newest report
  Report newest_;  // the newest value of every metric
  StatusLine status_line_;
  double status_time_s_;  // when the status was shown; not on a terminal: when anything was
  std::atomic<int64_t> failed_writes_ = 0;
  std::vector<std::string> given_advice_;  // advice already printed; each is printed once
};

}  // namespace dray
