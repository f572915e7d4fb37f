#pragma once

#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/turn.h"

namespace dray::cage2 {

// Carries out blue's action. Blue moves first in a step, so red may break in again in the same step
// after a restore.
void PlayBlue(BlueAction action, Turn& turn);

// Returns true if the decoy can be placed now and opens a port. Other decoys have no effect.
bool OpensPort(const State& state, BlueAction decoy, const Network& network);
// Returns true if the decoy can be placed on the freshly installed host.
bool Fits(BlueKind decoy, int host, const Network& network);

}  // namespace dray::cage2
