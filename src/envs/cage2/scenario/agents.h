#pragma once

#include "src/envs/cage2/network.h"
#include "src/envs/cage2/scenario/entry.h"

namespace dray::cage2 {

// Returns red's first host: the only host of its starting sessions, which are privileged.
Host ReadFoothold(const Entry& agents, const Network& network);

// Throws an Error unless the agents match the assumptions of the rules: blue is on every host, red
// knows only its foothold, and no agent is excluded from a subnet.
void CheckAgents(const Entry& agents, const Network& network);

}  // namespace dray::cage2
