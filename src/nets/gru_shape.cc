#include "src/nets/gru_shape.h"

#include "src/base/error.h"
#include "src/nets/net_role.h"
#include "src/nets/net_shape.h"

namespace dray {

GruShape::GruShape(const EnvSpec& spec, const NetworkConfig& config)
    : head(LayerSizes(spec, config, OutputsOf(spec, NetRole::kActor))),
      activation(config.activation()) {
  DRAY_CHECK_GT(spec.memory, 0);
  const int64_t memory = spec.memory - 1, seen = spec.observation_size - spec.memory;
  look = {.name = "look", .in = seen, .out = 3 * memory};
  recall = {.name = "recall", .start = look.end(), .in = memory, .out = 3 * memory};
  head[0] = seen + memory;
}

int64_t GruShape::parameter_count() const { return head_start() + PerceptronParameters(head); }

}  // namespace dray
