#pragma once

#include "src/envs/cage2/turn.h"

namespace dray::cage2 {

// Carries out red's move and records it. Returns true if it succeeded.
bool PlayRed(RedMove move, Turn& turn);

}  // namespace dray::cage2
