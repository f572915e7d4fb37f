#include "src/envs/dvrptw/planning/futures.h"

#include "src/envs/dvrptw/random_streams.h"

namespace dray {
namespace {

Flexibility DrawType(const TypeBelief& belief, double draw) {
  for (size_t type = 0; type + 1 < belief.size(); ++type) {
    draw -= belief[type];
    if (draw < 0) return static_cast<Flexibility>(type);
  }
  return static_cast<Flexibility>(belief.size() - 1);
}

}  // namespace

std::vector<int> PendingRiders(const DeliveryWorld& world, const DeliveryDay& day) {
  std::vector<uint8_t> asked(world.riders.size());
  for (const Arrival& arrival : day.arrivals().first(static_cast<size_t>(day.step()) + 1)) {
    asked[arrival.rider] = 1;
  }
  std::vector<int> pending;
  for (size_t rider = 0; rider < asked.size(); ++rider) {
    if (asked[rider] == 0) pending.push_back(static_cast<int>(rider));
  }
  return pending;
}

Rng ChanceOf(const DeliveryDay& day, uint32_t stream) {
  const EpisodeKey& key = day.key();
  const uint64_t env_seed = Rng(key.seed, key.purpose, key.env).Next64();
  const uint64_t day_seed = Rng(env_seed, kFuturesStream, key.episode).Next64();
  return Rng(day_seed, kFuturesStream,
             (uint64_t{stream} << 16) + static_cast<uint64_t>(day.step()));
}

void DrawFuture(const DeliveryWorld& world, std::span<const TypeBelief> beliefs,
                std::span<int> pending, Rng& rng, Future& future) {
  rng.Shuffle(pending);
  future.clear();
  for (const int rider : pending) {
    const std::vector<Trip>& pool = world.riders[rider].pool;
    const Trip& trip = pool[rng.Below(static_cast<uint32_t>(pool.size()))];
    future.push_back({&trip, DrawType(beliefs[rider], rng.Uniform())});
  }
}

}  // namespace dray
