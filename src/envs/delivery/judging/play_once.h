#pragma once

#include "src/env/env.h"
#include "src/env/player.h"
#include "src/envs/delivery/judging/comparison.h"

namespace dray::delivery {

// Plays the first episode of every environment to its end, all side by side. Episodes must have a
// fixed length. Reports the steps that are done.
void PlayOnce(BatchEnv& env, Player& player, const Progress& progress);

}  // namespace dray::delivery
