#pragma once

#include "src/env/env.h"

namespace dray {

enum class NetRole { kActor, kCritic };

// Number of outputs: the actor's logits or means, or the critic's value.
inline int OutputsOf(const EnvSpec& spec, NetRole role) {
  return role == NetRole::kActor ? spec.actions.outputs() : 1;
}

}  // namespace dray
