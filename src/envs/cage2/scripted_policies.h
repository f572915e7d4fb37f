#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/env/player.h"
#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Blue players that are no networks: to measure the game by, and trained policies against. They
// read the bits that an observation begins with, and answer with actions of blue_actions.h. Chance
// is named by the seed and the episode's number. By name, or an Error that lists them:
//   sleep                 does nothing
//   random                any action, all as likely
//   react_restore         restores the host that was exploited last of those that look compromised
//   react_remove_restore  the same host: removes red if it is said to be a user there, otherwise
//                         restores it
//   actions:FILE          the actions of a file, one after the other
std::unique_ptr<Player> MakeScriptedPolicy(const std::string& name, uint64_t seed,
                                           const Network& network);

// Numbers of actions with white space between them, one for each step; after the last one blue
// sleeps. Anything else is an Error that names `what` and the line.
std::vector<int> ParseActions(std::string_view text, const std::string& what,
                              const Network& network);

}  // namespace dray::cage2
