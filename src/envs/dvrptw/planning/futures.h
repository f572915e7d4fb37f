#pragma once

#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/flexibility/bayes.h"
#include "src/envs/dvrptw/world.h"

namespace dray::dvrptw {

// A possible rest of a day: who will ask, in which order, for what.
struct FutureRequest {
  const Trip* trip = nullptr;  // one of the rider's pool
  Flexibility type = Flexibility::kNone;
};
using Future = std::vector<FutureRequest>;

// Returns the riders who have not asked yet, not including the current one.
std::vector<int> PendingRiders(const World& world, const Day& day);

// Draws a future: all pending riders in random order, each with a random trip of its pool and a
// type drawn from the beliefs (by rider). Shuffles `pending`.
void DrawFuture(const World& world, std::span<const TypeBelief> beliefs, std::span<int> pending,
                Rng& rng, Future& future);

}  // namespace dray::dvrptw
