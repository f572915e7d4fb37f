#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "src/base/condition.h"
#include "src/output/status_line.h"

namespace dray {

// Shows a status line with a bar and the time left during its lifetime, redrawn by its own thread,
// for work whose progress is a single number. Elsewhere than on a terminal, prints a new line at
// every `interval`; 0: never.
class ProgressLine {
 public:
  using Interval = std::chrono::milliseconds;

  // `progress` is called from another thread and returns a number from 0 to 1.
  ProgressLine(std::ostream& out, TerminalStyle style, std::string phase,
               std::function<double()> progress, Interval interval = Interval(0));
  // Writes to standard error, because standard output has the result.
  ProgressLine(std::string phase, std::function<double()> progress,
               Interval interval = Interval(0));
  ~ProgressLine();

  // Begins another phase. From now on, `progress` and the time left are those of this phase.
  void Begin(std::string phase);

 private:
  using Clock = std::chrono::steady_clock;

  void Serve(Interval interval);
  RunStatus Status() const;

  std::ostream& out_;
  const TerminalStyle style_;
  const std::function<double()> progress_;
  StatusLine line_;
  std::mutex mutex_;
  std::string phase_;
  Clock::time_point begin_ = Clock::now();  // start of the phase
  std::condition_variable ending_;
  bool ends_ = false;
  std::thread thread_;  // not running if nothing is shown
};

}  // namespace dray
