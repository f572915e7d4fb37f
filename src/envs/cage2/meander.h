#pragma once

#include "src/envs/cage2/chance.h"
#include "src/envs/cage2/red.h"

namespace dray::cage2 {

// Meander, the red agent that knows nothing of the network and takes subnet after subnet, every
// host that it finds. Notes in the record whom it chose among.
RedMove ChooseMeander(const Network& network, State& state, Chance& chance, StepRecord& record);
// What a successful move taught it.
void LearnMeander(RedMove move, const Network& network, State& state);

}  // namespace dray::cage2
