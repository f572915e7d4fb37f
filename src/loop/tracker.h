#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/base/stopwatch.h"
#include "src/loop/child_process.h"

namespace dray {

// The process that sends a run's numbers to W&B by following the files of its folder. Training
// continues whatever happens to it: a failure prints one line, and the process is restarted after a
// delay that doubles each time; it continues after the numbers already sent.
class Tracker {
 public:
  using Say = std::function<void(const std::string& line)>;

  // `command` should end when its input ends. Its output is written to `log`.
  Tracker(const std::vector<std::string>& command, const std::string& log, Say say,
          double retry_s = 60);
  // Waits until the last numbers are sent, at most kPatience_s.
  ~Tracker();

  // Checks the process: reports its first failure, and restarts it when the delay has passed.
  void Look();
  // Number of failures.
  int64_t failures() const { return failures_; }

  static constexpr double kPatience_s = 60;

 private:
  void Start();
  void Fail(const std::string& why);

  const std::vector<std::string> command_;
  const std::string log_;
  const Say say_;
  double retry_s_;
  int64_t failures_ = 0;
  Stopwatch since_failure_;
  std::optional<ChildProcess> process_;  // empty: failed
};

// Returns the command line that starts the process for a run folder.
std::vector<std::string> WandbCommand(const std::string& run_dir, const std::string& project);

}  // namespace dray
