#pragma once

#include <functional>
#include <span>
#include <string>

#include "src/config/config.pb.h"
#include "src/search/trial.h"

namespace dray {

// Carries trials out. Each is a whole training in a folder of its own, and what comes of it depends
// on the trial alone, not on where or beside what it runs.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;

  // Told in the caller's thread as soon as a trial has finished, in any order.
  using Finished = std::function<void(const Trial& trial, const TrialResult& result)>;
  // Asked several times a second, by any thread.
  using Interrupted = std::function<bool()>;

  // Side by side. Returns when all have finished, or soon after `interrupted`: trials that have not
  // finished by then are given up. A training that fails is an Error.
  virtual void Evaluate(std::span<const Trial> trials, const Finished& finished,
                        const Interrupted& interrupted) = 0;
};

// The config of a trial's training, its run folder and init_from included.
using TrialConfig = std::function<Config(const Trial& trial)>;

// "workflow-007"
std::string TrialFolderName(int number);

}  // namespace dray
