#pragma once

#include "src/config/config.pb.h"

namespace dray {

// Returns scale.envs_per_shard, or the usual size if it is neither set nor measured.
inline int EnvsPerShard(const ScaleConfig& scale) {
  constexpr int kUsual = 16;
  return scale.envs_per_shard() > 0 ? scale.envs_per_shard() : kUsual;
}

// Returns the device that the config names for the learner: run.device if set, else
// scale.learner_device, which may be AUTO.
inline Device LearnerDeviceOf(const Config& config) {
  return config.run().device() != AUTO ? config.run().device() : config.scale().learner_device();
}

}  // namespace dray
