#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "src/metrics/report.h"
#include "src/metrics/report_text.h"
#include "src/metrics/run_header.h"

namespace dray {

// What the status line says between two reports; what is not known is NaN or empty.
struct RunStatus {
  double progress = 0;     // from 0 to 1
  std::string phase = {};  // "rollout", "update 12", ...
  double steps_per_s = 0;
  double eta_s = 0;
};

// How to write to a stream.
struct TerminalStyle {
  bool is_terminal = false;  // redraw a status line in place
  bool colours = false;
  int columns = 80;

  // As standard output is: a terminal or not, its width, NO_COLOR and TERM=dumb heeded.
  static TerminalStyle OfStandardOutput();
};

// Shows a run to a person: a header, a block of lines per report, on a terminal a status line with
// a progress bar below them, and a summary. Elsewhere plain lines without escape codes. To be used
// from one thread.
class TerminalSink : public ReportSink {
 public:
  using Clock = std::function<double()>;  // seconds that only grow

  // Writes the header. The stream outlives the sink.
  TerminalSink(std::ostream& out, TerminalStyle style, RunHeader header, Clock clock = SteadyClock);
  ~TerminalSink() override;

  void Write(const Report& report) override;

  // Redraws the status line, at most ten times a second; may be called as often as one likes.
  void Status(const RunStatus& status);

  // A line of its own among the reports.
  void Say(const std::string& line);

  // Ends the run's output with a summary of the newest numbers. `outcome` is its first line, such
  // as "Finished: all 15 epochs done" or "Stopped by Ctrl-C".
  void Finish(const std::string& outcome);

 private:
  static double SteadyClock();
  void ClearStatus();
  void WriteAdvice(const std::vector<std::string>& advice);

  std::ostream& out_;
  TerminalStyle style_;
  RunHeader header_;
  Clock clock_;
  Paint paint_;
  Report last_;    // the newest report
  Report newest_;  // the newest value of every metric
  bool status_drawn_ = false;
  double status_time_s_;
  std::vector<std::string> given_advice_;  // the same advice is given once
};

// The status line, not wider than `columns`, without escape codes.
std::string StatusText(const RunStatus& status, int columns);

}  // namespace dray
