#include "src/envs/dvrptw/episode.h"

#include "src/base/error.h"

namespace dray {

std::vector<Arrival> DrawEpisode(const EpisodeKey& key, std::span<const Rider> riders,
                                 double noise) {
  const uint64_t env_seed = Rng(key.seed, key.purpose, key.env).Next64();
  Rng rng(env_seed, RngPurpose::kEpisode, key.episode);
  std::vector<Arrival> arrivals(riders.size());
  for (size_t i = 0; i < riders.size(); ++i) arrivals[i].rider = static_cast<int>(i);
  rng.Shuffle(std::span(arrivals));
  for (Arrival& arrival : arrivals) {
    const Rider& rider = riders[static_cast<size_t>(arrival.rider)];
    DRAY_CHECK_GT(rider.pool.size(), 0u);
    arrival.trip = static_cast<int>(rng.Below(static_cast<uint32_t>(rider.pool.size())));
    arrival.contrary = rng.Uniform() < noise;
    arrival.explore_draw = rng.Uniform();
    arrival.explore_as = static_cast<Flexibility>(rng.Below(kFlexibilityTypes));
  }
  return arrivals;
}

}  // namespace dray
