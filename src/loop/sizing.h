#pragma once

#include <cstdint>
#include <string>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// What there is to share out: a machine, or a whole cluster.
struct Resources {
  double cpus = 1;
  int64_t memory_bytes = 0;  // 0: not known
};

// Sets scale.num_envs when the config leaves it to us (auto): envs_per_shard environments for each
// CPU that steps them, halved until the run takes at most half the memory. Returns one line that
// says what was chosen and why; empty when there was nothing to choose.
std::string ChooseNumEnvs(const EnvSpec& spec, const Resources& resources, Config* config);

}  // namespace dray
