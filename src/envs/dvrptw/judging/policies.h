#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/env/player.h"
#include "src/envs/dvrptw/negotiate_env.h"

namespace dray {

// The policies to beat, from the one that never shifts to the one that knows every type. They
// choose from the same prices that the third encoding shows to a network.
//   none              no shift, ever
//   random            any of the 16 actions
//   random_accepted   any that the rider agrees to
//   max_shift         the largest shift that the rider agrees to
//   myopic_hopeful    the cheapest insertion, patience included, as if riders agreed to everything
//   myopic_believed   the same over what the beliefs allow
//   myopic_true       the same over what the rider agrees to
std::vector<std::string> BaselineNames();
// A player in `env`, which must outlive it.
std::unique_ptr<Player> MakeBaseline(const std::string& name, NegotiateEnv& env,
                                     double patience_weight, uint64_t seed);

}  // namespace dray
