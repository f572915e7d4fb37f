#pragma once

#include <memory>

#include "src/env/player.h"
#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"
#include "src/envs/dvrptw_offer/offer_env.h"

namespace dray::dvrptw_offer {

// Makes a player that decides every offer with sampled futures (env.dvrptw_offer.lookahead), on all
// cores. `env` must outlive it.
std::unique_ptr<Player> MakeLookahead(const DvrptwOfferConfig& config, const OfferEnv& env);

}  // namespace dray::dvrptw_offer
