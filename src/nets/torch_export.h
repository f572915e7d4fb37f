#pragma once

#include <string>

#include "src/nets/actor_critic.h"

namespace dray {

// Returns the networks as a file for Python's torch.load(path): a dictionary from names such as
// "actor.0.weight" to tensors. With normalised observations it also holds "observation.mean" and
// "observation.scale", to be applied as (x - mean) * scale, clipped to +- "observation.clip".
std::string TorchFile(const ActorCritic& nets, const ObservationScaling& scaling);

}  // namespace dray
