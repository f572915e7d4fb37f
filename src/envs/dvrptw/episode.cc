#include "src/envs/dvrptw/episode.h"

#include "src/base/error.h"

namespace dray::dvrptw {

std::vector<Arrival> DrawEpisode(const EpisodeKey& key, std::span<const Rider> riders,
                                 double noise) {
  Rng rng = delivery::EpisodeRng(key, RngPurpose::kEpisode);
  std::vector<Arrival> arrivals(riders.size());
  for (size_t i = 0; i < riders.size(); ++i) arrivals[i].rider = i;
  rng.Shuffle(std::span(arrivals));
  for (Arrival& arrival : arrivals) {
    const Rider& rider = riders[arrival.rider];
    DRAY_CHECK_GT(rider.pool.size(), 0u);
    arrival.trip = rng.Below(rider.pool.size());
    arrival.contrary = rng.Uniform() < noise;
    arrival.explore_draw = rng.Uniform();
    arrival.explore_as = delivery::DrawUniformType(rng);
  }
  return arrivals;
}

}  // namespace dray::dvrptw
