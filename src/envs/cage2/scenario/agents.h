#pragma once

#include "src/envs/cage2/network.h"
#include "src/envs/cage2/scenario/entry.h"

namespace dray::cage2 {

// Where red begins: the one host of its starting sessions, with privileges.
Host ReadFoothold(const Entry& agents, const Network& network);

// Whether the agents can do and see what the rules take for granted: blue is everywhere, red knows
// its foothold alone, nobody is kept out of a subnet. An Error when not.
void CheckAgents(const Entry& agents, const Network& network);

}  // namespace dray::cage2
