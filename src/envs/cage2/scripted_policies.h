#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/env/player.h"
#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Makes a scripted blue player, as a baseline for trained policies. It reads the first bits of an
// observation and answers with actions of blue_actions.h. Its random numbers depend on the seed and
// the number of the episode. Throws an Error that lists the names if `name` is unknown:
//   sleep                 does nothing
//   random                plays uniformly random actions
//   react_restore         restores the most recently exploited host that looks compromised
//   react_remove_restore  likewise, but removes red where it is reported to be a user
//   actions:FILE          plays the actions of a file in order
std::unique_ptr<Player> MakeScriptedPolicy(const std::string& name, uint64_t seed,
                                           const Network& network);

// Parses action numbers separated by white space, one per step; blue sleeps after the last one.
// Throws an Error that names `what` and the line if the text is invalid.
std::vector<int> ParseActions(std::string_view text, const std::string& what,
                              const Network& network);

}  // namespace dray::cage2
