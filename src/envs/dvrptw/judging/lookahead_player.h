#pragma once

#include <memory>
#include <string>

#include "src/config/config.pb.h"
#include "src/env/player.h"
#include "src/envs/dvrptw/negotiate_env.h"

namespace dray::dvrptw {

// Makes a player that plans every decision with sampled futures (env.dvrptw.lookahead), on all
// cores, using the environment's beliefs about what riders agree to. With the weights of a learned
// policy it starts from that policy's opinion of the actions (the policy "plan"). `env` must
// outlive it.
std::unique_ptr<Player> MakeLookahead(const Config& config, const std::string& weights,
                                      const NegotiateEnv& env);

}  // namespace dray::dvrptw
