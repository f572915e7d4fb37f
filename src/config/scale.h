#pragma once

#include "src/config/config.pb.h"

namespace dray {

// scale.envs_per_shard, or what is usual where it is left open and nobody has measured.
inline int EnvsPerShard(const ScaleConfig& scale) {
  constexpr int kUsual = 16;
  return scale.envs_per_shard() > 0 ? scale.envs_per_shard() : kUsual;
}

}  // namespace dray
