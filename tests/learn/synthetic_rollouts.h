#pragma once

#include <functional>
#include <vector>

#include "src/base/bytes.h"
#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/learn/learner.h"

namespace dray {

// What one sample of a made-up task looks like, filled in by a test.
struct SyntheticStep {
  std::vector<float> observation;
  std::vector<float> final_observation;  // where truncated; empty: the observation itself
  std::vector<uint8_t> mask;
  std::vector<float> appraisals;
  float reward = 0;
  bool terminated = false;
  bool truncated = false;
};
using SyntheticTask = std::function<SyntheticStep(int step, int env)>;

struct SyntheticShape {
  int steps = 16;
  int envs = 4;
  int first_env = 0;
};

// A rollout of a made-up task by published weights: actions are drawn as a shard draws them.
SharedBlob Roll(const EnvSpec& spec, const NetworkConfig& network, const std::string& weights,
                const SyntheticShape& shape, const SyntheticTask& task);

}  // namespace dray
