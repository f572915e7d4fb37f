#pragma once

#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/turn.h"

namespace dray::cage2 {

// Blue's move, which comes first in a step: a restore hits what was there before it, and red may
// break in again in the same step.
void PlayBlue(BlueAction action, Turn& turn);

// Whether this decoy could be placed now and would open a port: one that does not changes nothing.
bool OpensPort(const State& state, BlueAction decoy, const Network& network);
// Whether it could be placed on a host as it is installed.
bool Fits(BlueKind decoy, int host, const Network& network);

}  // namespace dray::cage2
