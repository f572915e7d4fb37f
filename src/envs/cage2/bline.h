#pragma once

#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/red.h"

namespace dray::cage2 {

// B_line, the red agent that knows the network and takes the shortest way to the server: fifteen
// stages, each with one action; on after a success, some stages back after a failure.
RedMove ChooseBline(const Network& network, State& state, Chance& chance);

}  // namespace dray::cage2
