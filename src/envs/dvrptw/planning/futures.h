#pragma once

#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/flexibility/bayes.h"
#include "src/envs/dvrptw/world.h"

namespace dray {

// One way that the rest of a day may go: who will ask, in which order, for what.
struct FutureRequest {
  const Trip* trip = nullptr;  // of the rider's pool
  Flexibility type = Flexibility::kNone;
};
using Future = std::vector<FutureRequest>;

// The riders who have not asked yet, by number. The one who asks now has.
std::vector<int> PendingRiders(const DeliveryWorld& world, const DeliveryDay& day);

// Everything random about one decision is drawn from here: named by day and step, so that it is the
// same for any layout of shards. `stream` tells apart what is drawn for different ends.
Rng ChanceOf(const DeliveryDay& day, uint32_t stream);

// All of these riders in random order, each with a random trip of its pool and a type drawn from
// what is believed (by rider). Shuffles `pending`.
void DrawFuture(const DeliveryWorld& world, std::span<const TypeBelief> beliefs,
                std::span<int> pending, Rng& rng, Future& future);

}  // namespace dray
