#pragma once

#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/red.h"

namespace dray::cage2 {

// Chooses the move of B_line, the red agent that knows the network and takes the shortest path to
// the server. It has fifteen stages of one action each, advances on success and falls back some
// stages on failure.
RedMove ChooseBline(const Network& network, State& state, Chance& chance);

}  // namespace dray::cage2
