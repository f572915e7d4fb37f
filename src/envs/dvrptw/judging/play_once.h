#pragma once

#include "src/env/env.h"
#include "src/env/player.h"

namespace dray {

// Plays the first episode of every environment to its end, all side by side; episodes are of fixed
// length.
void PlayOnce(BatchEnv& env, Player& player);

}  // namespace dray
