#pragma once

#include <functional>
#include <span>
#include <string>

#include "src/config/config.pb.h"
#include "src/search/trial.h"

namespace dray {

// Runs trials. Each is a whole training in a folder of its own, and its result depends only on the
// trial, not on where or next to what it runs.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;

  // Called in the caller's thread as soon as a trial has finished, in any order.
  using Finished = std::function<void(const Trial& trial, const TrialResult& result)>;
  // Called several times per second, from any thread.
  using Interrupted = std::function<bool()>;

  // Runs the trials in parallel. Returns when all have finished, or soon after `interrupted`,
  // cancelling the others. A training that fails is an Error.
  virtual void Evaluate(std::span<const Trial> trials, const Finished& finished,
                        const Interrupted& interrupted) = 0;
};

// Returns the config of a trial's training, including its run folder and init_from.
using TrialConfig = std::function<Config(const Trial& trial)>;

// Returns the folder name of a trial: "workflow-007".
std::string TrialFolderName(int number);

}  // namespace dray
