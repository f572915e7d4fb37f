#include "src/nets/net_shape.h"

#include "src/nets/attention_shape.h"
#include "src/nets/gru_shape.h"
#include "src/nets/memory.h"

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
  const EnvSpec seen = WithMemory(spec, config);
  if (seen.memory > 0 && role == NetRole::kActor) return GruShape(seen, config).parameter_count();
  return PerceptronParameters(LayerSizes(seen, config, OutputsOf(spec, role)));
}

}  // namespace dray
