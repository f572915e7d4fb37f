#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// Ends a run that has learned enough: when the mean of an episode statistic over the episodes of
// the latest update is high enough.
class EarlyStop {
 public:
  // An Error if the task has no such statistic.
  EarlyStop(const EarlyStopConfig& config, const EnvSpec& spec);

  // Called after an update from these episodes. Returns the goal reached, in words; empty:
  // continue.
  std::string OnUpdate(std::span<const Episode> episodes, int64_t fewest_episodes_per_env) const;

 private:
  const EarlyStopConfig config_;
  size_t stat_ = 0;  // index in Episode::stats
};

}  // namespace dray
