#include "tests/rollout/made_up_weights.h"

#include "src/base/rng.h"
#include "src/env/registry.h"
#include "src/nets/memory.h"
#include "src/nets/net_shape.h"

namespace dray {

PolicyWeights MadeUpWeights(const Config& config, uint64_t seed) {
  return MadeUpWeights(SpecOf(config.env()), config.network(), seed);
}

PolicyWeights MadeUpWeights(const EnvSpec& spec, const NetworkConfig& network, uint64_t seed) {
  const int64_t count = ParameterCount(WithMemory(spec, network), network, NetRole::kActor);
  PolicyWeights weights;
  weights.version = 3;
  Rng rng(seed, RngPurpose::kTest, 0);
  for (int64_t i = 0; i < count; ++i)
    weights.actor.push_back(static_cast<float>(0.5 * rng.Normal()));
  if (!spec.actions.discrete()) weights.log_std.assign(spec.actions.outputs(), 1.0f);
  return weights;
}

}  // namespace dray
