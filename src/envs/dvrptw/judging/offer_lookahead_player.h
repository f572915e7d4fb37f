#pragma once

#include <memory>

#include "src/env/player.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/offer_env.h"

namespace dray {

// Decides every offer by sampled futures, as env.dvrptw.lookahead says, on all cores. `env`
// outlives it.
std::unique_ptr<Player> MakeOfferLookahead(const DvrptwConfig& config, const OfferEnv& env);

}  // namespace dray
