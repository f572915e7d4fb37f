#include "src/nets/make_cpu_net.h"

#include "src/nets/cpu_attention.h"
#include "src/nets/cpu_gru.h"
#include "src/nets/cpu_mlp.h"

namespace dray {

std::unique_ptr<CpuNet> MakeCpuNet(const EnvSpec& spec, const NetworkConfig& config, NetRole role) {
  if (config.kind() == ATTENTION) {
    return std::make_unique<CpuAttention>(AttentionShape(spec, config, role));
  }
  if (spec.memory > 0 && role == NetRole::kActor) {
    return std::make_unique<CpuGru>(GruShape(spec, config));
  }
  return std::make_unique<CpuMlp>(LayerSizes(spec, config, OutputsOf(spec, role)),
                                  config.activation());
}

}  // namespace dray
