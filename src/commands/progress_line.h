#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "src/metrics/status_line.h"

namespace dray {

// While it lives, a status line with a bar and the time left, redrawn by a thread of its own: for
// work of which a number alone tells how far it is. On a terminal; elsewhere nothing.
class ProgressLine {
 public:
  // `progress` is asked from another thread, from 0 to 1.
  ProgressLine(std::ostream& out, TerminalStyle style, std::string phase,
               std::function<double()> progress);
  // On standard error: standard output has the result.
  ProgressLine(std::string phase, std::function<double()> progress);
  ~ProgressLine();

 private:
  void Serve(const std::string& phase, const std::function<double()>& progress);

  StatusLine line_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ends_ = false;
  std::thread thread_;  // not running where there is no terminal
};

}  // namespace dray
