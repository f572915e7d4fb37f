#include "src/envs/dvrptw/episode.h"

#include "src/base/error.h"

namespace dray {

void SaveKey(const EpisodeKey& key, ByteWriter& out) {
  out.Put(key.seed);
  out.Put(key.purpose);
  out.Put(key.env);
  out.Put(key.episode);
}

EpisodeKey LoadKey(ByteReader& in) {
  EpisodeKey key;
  key.seed = in.Get<uint64_t>();
  key.purpose = in.Get<RngPurpose>();
  key.env = in.Get<uint64_t>();
  key.episode = in.Get<uint64_t>();
  // A random stream can be named by 32 bits, and episodes are counted on from here.
  if (key.env >= uint64_t{1} << 32 || key.episode >= uint64_t{1} << 31) {
    throw Failure("the name of a saved episode of dvrptw is damaged");
  }
  return key;
}

std::vector<Arrival> DrawEpisode(const EpisodeKey& key, std::span<const Rider> riders,
                                 double noise) {
  const uint64_t env_seed = Rng(key.seed, key.purpose, key.env).Next64();
  Rng rng(env_seed, RngPurpose::kEpisode, key.episode);
  std::vector<Arrival> arrivals(riders.size());
  for (size_t i = 0; i < riders.size(); ++i) arrivals[i].rider = static_cast<int>(i);
  rng.Shuffle(std::span(arrivals));
  for (Arrival& arrival : arrivals) {
    const Rider& rider = riders[arrival.rider];
    DRAY_CHECK_GT(rider.pool.size(), 0u);
    arrival.trip = static_cast<int>(rng.Below(static_cast<uint32_t>(rider.pool.size())));
    arrival.contrary = rng.Uniform() < noise;
    arrival.explore_draw = rng.Uniform();
    arrival.explore_as = static_cast<Flexibility>(rng.Below(kFlexibilityTypes));
  }
  return arrivals;
}

}  // namespace dray
