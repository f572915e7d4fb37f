#pragma once

#include <array>
#include <cstdint>

#include "src/env/player.h"
#include "src/envs/cage2/network.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {

// What a player of one game does after an observation.
inline int ActAfter(uint64_t bits, Player& player) {
  std::array<float, 4 * kHosts> observation;
  for (size_t i = 0; i < observation.size(); ++i) {
    observation[i] = static_cast<float>(bits >> (observation.size() - 1 - i) & 1);
  }
  int32_t action = 0;
  player.Act({observation, {}, {}}, {{&action, 1}, {}});
  return action;
}

}  // namespace dray::cage2
