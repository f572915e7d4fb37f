#include "src/nets/net_shape.h"

#include "src/nets/attention_shape.h"
#include "src/nets/gru_shape.h"

namespace dray {

std::vector<int64_t> LayerSizes(const EnvSpec& spec, const NetworkConfig& config, int outputs) {
  std::vector<int64_t> sizes = {spec.bag.width + spec.observation_size};
  for (const int size : config.hidden()) sizes.push_back(size);
  sizes.push_back(outputs);
  return sizes;
}

int64_t PerceptronParameters(const std::vector<int64_t>& sizes) {
  int64_t count = 0;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) count += (sizes[i] + 1) * sizes[i + 1];
  return count;
}

int64_t ParameterCount(const EnvSpec& spec, const NetworkConfig& config, NetRole role) {
  if (config.kind() == ATTENTION) return AttentionShape(spec, config, role).parameter_count;
  if (config.kind() == GRU && role == NetRole::kActor) {
    return GruShape(spec, config).parameter_count();
  }
  return PerceptronParameters(LayerSizes(spec, config, OutputsOf(spec, role)));
}

int64_t ParameterCount(const EnvSpec& spec, const NetworkConfig& config) {
  return (spec.actions.discrete() ? 0 : spec.actions.outputs()) +
         ParameterCount(spec, config, NetRole::kActor) +
         ParameterCount(spec, config, NetRole::kCritic);
}

}  // namespace dray
