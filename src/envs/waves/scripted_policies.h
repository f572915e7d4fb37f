#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "src/env/player.h"

namespace dray::waves {

// Makes a scripted player; an unknown name is an Error that lists them:
//   greedy  dispatches every request
//   lazy    dispatches only what must go
//   random  decides by chance, a function of the seed and the episode's number
std::unique_ptr<Player> MakeScriptedPolicy(const std::string& name, uint64_t seed);

}  // namespace dray::waves
