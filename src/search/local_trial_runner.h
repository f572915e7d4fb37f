#pragma once

#include "src/search/trial_runner.h"

namespace dray {

// Trains in this process, each trial on a thread of its own.
class LocalTrialRunner : public TrialRunner {
 public:
  explicit LocalTrialRunner(TrialConfig config_of) : config_of_(std::move(config_of)) {}

  void Evaluate(std::span<const Trial> trials, const Finished& finished,
                const Interrupted& interrupted) override;

 private:
  TrialConfig config_of_;
};

}  // namespace dray
