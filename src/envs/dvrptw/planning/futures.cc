#include "src/envs/dvrptw/planning/futures.h"

namespace dray::dvrptw {
namespace {

Flexibility DrawType(const TypeBelief& belief, double draw) {
  for (size_t type = 0; type + 1 < belief.size(); ++type) {
    draw -= belief[type];
    if (draw < 0) return delivery::kEveryFlexibility[type];
  }
  return delivery::kEveryFlexibility.back();
}

}  // namespace

std::vector<int> PendingRiders(const World& world, const Day& day) {
  std::vector<uint8_t> asked(world.riders.size());
  for (const Arrival& arrival : day.arrivals().first(day.step() + 1)) {
    asked[arrival.rider] = 1;
  }
  std::vector<int> pending;
  for (size_t rider = 0; rider < asked.size(); ++rider) {
    if (asked[rider] == 0) pending.push_back(rider);
  }
  return pending;
}

void DrawFuture(const World& world, std::span<const TypeBelief> beliefs, std::span<int> pending,
                Rng& rng, Future& future) {
  rng.Shuffle(pending);
  future.clear();
  for (const int rider : pending) {
    const std::vector<Trip>& pool = world.riders[rider].pool;
    const Trip& trip = pool[rng.Below(pool.size())];
    future.push_back({&trip, DrawType(beliefs[rider], rng.Uniform())});
  }
}

}  // namespace dray::dvrptw
