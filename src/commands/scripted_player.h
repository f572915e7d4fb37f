#pragma once

#include <memory>
#include <string>

#include "src/config/config.pb.h"
#include "src/loop/episode_play.h"

namespace dray {

// A policy that was written, not learned, by its name (src/envs/cage2/scripted_policies.h), for a
// config of cage2, which is set to the interface that such policies know. Anything else is an
// Error.
std::unique_ptr<Player> MakeScriptedPlayer(const std::string& policy, Config* config);

}  // namespace dray
