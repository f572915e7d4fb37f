#pragma once

#include <cstdint>
#include <string>

#include "src/config/config.pb.h"
#include "src/env/env.h"

namespace dray {

// Resources of a machine or of a whole cluster.
struct Resources {
  double cpus = 1;
  int64_t memory_bytes = 0;  // 0: unknown
  int64_t gpu_bytes = 0;     // free memory of the learner's GPU; 0: unknown, or no GPU
};
Resources ThisMachine();

// Number of CPUs that step environments. In asynchronous mode the learner works while shards do.
int CpusForShards(const Config& config, const Resources& resources);

// Sets scale.num_envs: envs_per_shard environments for each CPU that steps them, halved until the
// run takes at most half the memory, of the machine and of the GPU that the learner may use.
// Returns a line that says what was chosen and why; empty if there was nothing to choose.
std::string ChooseNumEnvs(const EnvSpec& spec, const Resources& resources, Config* config);

}  // namespace dray
