#pragma once

#include <cstdint>
#include <string>

#include "src/config/config.pb.h"
#include "src/envs/env.h"

namespace dray {

// Ends a run that has learned what it was to learn: when the mean of an episode statistic, over the
// episodes of the latest update, is high enough.
class EarlyStop {
 public:
  // A statistic that the task does not have is an Error.
  EarlyStop(const EarlyStopConfig& config, const EnvSpec& spec);

  // An episode that the coming update learns from.
  void Add(const Episode& episode);
  // After an update. What was reached, in words; empty: go on.
  std::string OnUpdate(int64_t fewest_episodes_per_env);

 private:
  const EarlyStopConfig config_;
  size_t stat_ = 0;  // its place in Episode::stats
  double sum_ = 0;
  int64_t episodes_ = 0;
};

}  // namespace dray
