#pragma once

#include <memory>
#include <string>

#include "src/config/config.pb.h"
#include "src/env/player.h"
#include "src/envs/dvrptw/negotiate_env.h"

namespace dray {

// Plans every decision by sampled futures, as env.dvrptw.lookahead says, on all cores; what riders
// agree to it takes from the environment's beliefs. With the weights of a learned policy it begins
// with what that thinks of the actions (the policy "plan"). `env` outlives it.
std::unique_ptr<Player> MakeLookahead(const Config& config, const std::string& weights,
                                      const NegotiateEnv& env);

}  // namespace dray
