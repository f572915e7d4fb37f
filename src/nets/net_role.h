#pragma once

#include "src/env/env.h"

namespace dray {

enum class NetRole { kActor, kCritic };

// Logits or means of the actor; the critic's value.
inline int OutputsOf(const EnvSpec& spec, NetRole role) {
  return role == NetRole::kActor ? spec.actions.outputs() : 1;
}

}  // namespace dray
