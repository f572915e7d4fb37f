#include "src/envs/delivery/episode_key.h"

#include "src/base/error.h"
#include "src/envs/delivery/random_streams.h"

namespace dray::delivery {

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
  // Random streams are numbered with 32 bits, and episodes are counted on from here.
  if (key.env >= uint64_t{1} << 32 || key.episode >= uint64_t{1} << 31) {
    throw Failure("the name of a saved delivery episode is damaged");
  }
  return key;
}

Rng EpisodeRng(const EpisodeKey& key, RngPurpose purpose) {
  const uint64_t env_seed = Rng(key.seed, key.purpose, key.env).Next64();
  return Rng(env_seed, purpose, key.episode);
}

Rng DecisionRng(const EpisodeKey& key, int step, uint32_t stream) {
  const uint64_t day_seed = EpisodeRng(key, kFuturesStream).Next64();
  return Rng(day_seed, kFuturesStream, (uint64_t{stream} << 16) + step);
}

}  // namespace dray::delivery
