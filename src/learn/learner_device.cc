#include "src/learn/learner_device.h"

#include "src/nets/device.h"
#include "src/nets/net_shape.h"

namespace dray {

at::Device LearnerDevice(const Config& config, const EnvSpec& spec) {
  const int64_t parameters = ParameterCount(spec, config.network(), NetRole::kActor) +
                             ParameterCount(spec, config.network(), NetRole::kCritic);
  // A multiplication and an addition per parameter and row, forwards once and backwards twice.
  return ChooseDevice(config.run().device(),
                      6.0 * static_cast<double>(parameters) * config.ppo().minibatch_size());
}

}  // namespace dray
