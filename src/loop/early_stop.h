#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// Ends a run that has learned what it was to learn: when the mean of an episode statistic, over the
// episodes of the latest update, is high enough.
class EarlyStop {
 public:
  // A statistic that the task does not have is an Error.
  EarlyStop(const EarlyStopConfig& config, const EnvSpec& spec);

  // After an update from these episodes. What was reached, in words; empty: go on.
  std::string OnUpdate(std::span<const Episode> episodes, int64_t fewest_episodes_per_env) const;

 private:
  const EarlyStopConfig config_;
  size_t stat_ = 0;  // its place in Episode::stats
};

}  // namespace dray
