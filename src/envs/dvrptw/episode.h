#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/rng.h"
#include "src/envs/dvrptw/riders.h"

namespace dray {

// Names an episode: number `episode` of the environment that draws from stream (seed, purpose,
// env). Everything random in it follows from the name, for any layout of shards.
struct EpisodeKey {
  uint64_t seed = 0;
  RngPurpose purpose = RngPurpose::kEnvironment;
  uint64_t env = 0;
  uint64_t episode = 0;
};

void SaveKey(const EpisodeKey& key, ByteWriter& out);
// Damaged bytes are an Error.
EpisodeKey LoadKey(ByteReader& in);

// One step's chance, drawn before the first action: two policies that play the same episode meet
// the same riders in the same mood.
struct Arrival {
  int rider = 0;
  int trip = 0;  // of the rider's pool
  // This rider answers a shift against its type this time.
  bool contrary = false;
  // Uniform in [0, 1): the step explores when this is below epsilon, ...
  double explore_draw = 0;
  // ... and then with the mask of this type.
  Flexibility explore_as = Flexibility::kNone;

  bool operator==(const Arrival&) const = default;
};

// Every rider once, in random order, with one trip of its pool.
std::vector<Arrival> DrawEpisode(const EpisodeKey& key, std::span<const Rider> riders,
                                 double noise);

}  // namespace dray
