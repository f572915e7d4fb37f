#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/env/player.h"
#include "src/envs/dvrptw/negotiate_env.h"

namespace dray::dvrptw {

// Names of the baseline policies, from the one that never shifts to the one that knows every type.
// They choose from the same prices that the encoding tokens shows to a network.
//   none              no shift, ever
//   random            any of the 16 actions
//   random_accepted   any action that the rider agrees to
//   max_shift         the largest shift that the rider agrees to
//   myopic_hopeful    the cheapest insertion, patience included, as if riders agreed to everything
//   myopic_believed   the same over what the beliefs allow
//   myopic_true       the same over what the rider agrees to
std::vector<std::string> BaselineNames();
// Makes a player of one of these names for `env`, which must outlive it. Throws an Error for
// another name.
std::unique_ptr<Player> MakeBaseline(const std::string& name, NegotiateEnv& env,
                                     double patience_weight, uint64_t seed);

}  // namespace dray::dvrptw
