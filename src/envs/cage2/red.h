#pragma once

#include "src/envs/cage2/turn.h"

namespace dray::cage2 {

// Carries it out, notes it in the record, and tells whether it succeeded.
bool PlayRed(RedMove move, Turn& turn);

}  // namespace dray::cage2
