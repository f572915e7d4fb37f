#pragma once

#include "src/env/env.h"
#include "src/env/player.h"

namespace dray::delivery {

// Plays the first episode of every environment to its end, all side by side. Episodes must have a
// fixed length.
void PlayOnce(BatchEnv& env, Player& player);

}  // namespace dray::delivery
