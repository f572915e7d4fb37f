#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "src/metrics/status_line.h"

namespace dray {

// Shows a status line with a bar and the time left during its lifetime, redrawn by its own thread,
// for work whose progress is a single number. Only on a terminal.
class ProgressLine {
 public:
  // `progress` is called from another thread and returns a number from 0 to 1.
  ProgressLine(std::ostream& out, TerminalStyle style, std::string phase,
               std::function<double()> progress);
  // Writes to standard error, because standard output has the result.
  ProgressLine(std::string phase, std::function<double()> progress);
  ~ProgressLine();

 private:
  void Serve(const std::string& phase, const std::function<double()>& progress);

  StatusLine line_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ends_ = false;
  std::thread thread_;  // not running without a terminal
};

}  // namespace dray
