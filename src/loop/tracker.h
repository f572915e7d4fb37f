#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/base/child_process.h"

namespace dray {

// The process that sends a run's numbers to W&B, by following the files of its folder. Whatever
// becomes of it, the training goes on: a failure is one line for the person.
class Tracker {
 public:
  using Say = std::function<void(const std::string& line)>;

  // `command` should end when its input ends. What it prints is in `log`.
  Tracker(const std::vector<std::string>& command, const std::string& log, Say say);
  // The run has ended: waits until the last numbers are sent, kPatience_s at most.
  ~Tracker();

  // Says so, once, if the process has failed.
  void Look();

  static constexpr double kPatience_s = 60;

 private:
  void Warn(const std::string& why);

  const std::string log_;
  const Say say_;
  std::optional<ChildProcess> process_;  // empty: it has failed, and that was said
};

// The words that start the process for a run folder.
std::vector<std::string> WandbCommand(const std::string& run_dir, const std::string& project);

}  // namespace dray
