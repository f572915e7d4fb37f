#include "src/nets/memory.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray {

EnvSpec WithMemory(EnvSpec spec, const NetworkConfig& config) {
  if (config.kind() != GRU || spec.memory > 0) return spec;
  if (spec.bag.width > 0) {
    throw UsageError("network.kind: gru cannot read the observations of ", spec.name,
                     ", which have a sparse part; use mlp or attention");
  }
  spec.memory = config.memory() + 1;
  spec.observation_size += spec.memory;
  return spec;
}

int SequenceSteps(const NetworkConfig& config, int rollout_steps) {
  if (config.kind() != GRU) return 1;
  int steps = std::min(config.memory_steps(), rollout_steps);
  while (rollout_steps % steps != 0) --steps;
  return steps;
}

int64_t MinibatchRows(int64_t wanted, int64_t sequence) {
  return std::max<int64_t>(1, wanted / sequence) * sequence;
}

}  // namespace dray
