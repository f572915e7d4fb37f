#pragma once

#include "src/config/config.pb.h"

namespace dray {

// Returns scale.envs_per_shard, or the usual size if it is neither set nor measured.
inline int EnvsPerShard(const ScaleConfig& scale) {
  constexpr int kUsual = 16;
  return scale.envs_per_shard() > 0 ? scale.envs_per_shard() : kUsual;
}

}  // namespace dray
