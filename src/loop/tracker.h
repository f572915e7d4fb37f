#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/base/child_process.h"
#include "src/loop/stopwatch.h"

namespace dray {

// The process that sends a run's numbers to W&B, by following the files of its folder. Whatever
// becomes of it, the training goes on: a failure is one line for the person, and after a while it
// is started again, each time after twice as long; it goes on behind what was sent before.
class Tracker {
 public:
  using Say = std::function<void(const std::string& line)>;

  // `command` should end when its input ends. What it prints is in `log`.
  Tracker(const std::vector<std::string>& command, const std::string& log, Say say,
          double retry_s = 60);
  // The run has ended: waits until the last numbers are sent, kPatience_s at most.
  ~Tracker();

  // Says so, the first time, if the process has failed; starts it again when that was long ago.
  void Look();
  // Times that it failed.
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
  std::optional<ChildProcess> process_;  // empty: it has failed
};

// The words that start the process for a run folder.
std::vector<std::string> WandbCommand(const std::string& run_dir, const std::string& project);

}  // namespace dray
