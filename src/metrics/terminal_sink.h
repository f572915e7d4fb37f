#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

#include "src/metrics/report.h"
#include "src/metrics/report_text.h"
#include "src/metrics/return_trend.h"
#include "src/metrics/run_header.h"
#include "src/metrics/status_line.h"

namespace dray {

// Shows a run to a person: a header, one or two lines per report, on a terminal a status line with
// a progress bar below them, and a summary. Elsewhere plain lines without escape codes. May be
// used from several threads.
class TerminalSink : public ReportSink {
 public:
  using Clock = std::function<double()>;  // seconds that only grow

  // Writes the header. The stream outlives the sink.
  TerminalSink(std::ostream& out, TerminalStyle style, RunHeader header, Clock clock = SteadyClock);

  void Write(const Report& report) override;

  // Reports of before a resume, for the best so far; they are not shown.
  void Remember(const Report& report);

  // Redraws the status line, at most ten times a second; may be called as often as one likes.
  void Status(const RunStatus& status);

  // A line of its own among the reports.
  void Say(const std::string& line);

  // Ends the run's output with a summary of the newest numbers. `outcome` is its first line, such
  // as "Finished: all 15 epochs done" or "Stopped by Ctrl-C".
  void Finish(const std::string& outcome);

  // The folder that the summary names.
  void set_run_dir(const std::string& path) { header_.run_dir = path; }

  // Times that the stream could not be written (a full disk), which is said once, on stderr; the
  // next line tries again. A reader that went away is no failure.
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
  double status_time_s_;
  std::atomic<int64_t> failed_writes_ = 0;
  std::vector<std::string> given_advice_;  // the same advice is given once
};

}  // namespace dray
