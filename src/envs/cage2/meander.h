#pragma once

#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/red.h"

namespace dray::cage2 {

// Chooses the move of Meander, the red agent that does not know the network and takes over every
// host it finds, subnet by subnet. Records the candidates it chose from.
RedMove ChooseMeander(const Network& network, State& state, Chance& chance, StepRecord& record);
// Updates its knowledge after a successful move.
void LearnMeander(RedMove move, const Network& network, State& state);

}  // namespace dray::cage2
