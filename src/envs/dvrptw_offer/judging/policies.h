#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/env/player.h"
#include "src/envs/delivery/type_split.pb.h"
#include "src/envs/dvrptw_offer/offer_env.h"

namespace dray::dvrptw_offer {

// Names of the baseline policies. They choose from the same slot prices that a network sees, and
// never offer a slot that cannot be served.
//   all_slots           every slot that can be served: the reference
//   random              a random set of slots that can be served
//   first_slot          only the earliest
//   cheapest_slot       only the one whose insertion adds least
//   cheapest_two        the two that add least
//   cheapest_accepted   the cheapest of those the customer takes; knows the customer's type
//   myopic              the set with the lowest expected cost of this customer, including the cost
//                       of losing it, given the frequency of types
//   keen                as myopic, but losing a customer counts three times: early customers cost
//                       most, and later ones share their routes
//   myopic_true         as cheapest_accepted, but turns away customers who cost more than losing
//                       them does
std::vector<std::string> BaselineNames();

// Makes a player of one of these names for `env`, which must outlive it.
std::unique_ptr<Player> MakeBaseline(const std::string& name, const OfferEnv& env,
                                     delivery::TypeSplit types, uint64_t seed);

}  // namespace dray::dvrptw_offer
