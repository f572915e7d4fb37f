#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/env/player.h"
#include "src/envs/dvrptw/offer_env.h"

namespace dray {

// The policies to beat in the mode offer. They choose from the same prices by slot that a network
// sees, and none offers a slot that nobody can serve.
//   all_slots           whatever can be served: what everything is compared with
//   random              any set of slots that can be served
//   first_slot          the earliest alone
//   cheapest_slot       the one whose insertion adds least, alone
//   cheapest_two        the two that add least
//   cheapest_accepted   the one that adds least of those the customer takes, which is known
//   myopic              the set with the least expected cost of this customer, what losing it costs
//                       included, over the types that customers have
//   keen                the same with a lost customer counted three times: early ones cost most by
//                       themselves, and who comes later shares their way
//   myopic_true         the same with the type known: as cheapest_accepted, but who costs more than
//                       it costs to lose is turned away
std::vector<std::string> OfferBaselineNames();
// A player of one of these names in `env`, which must outlive it.
std::unique_ptr<Player> MakeOfferBaseline(const std::string& name, const OfferEnv& env,
                                          DvrptwConfig::TypeSplit types, uint64_t seed);

}  // namespace dray
