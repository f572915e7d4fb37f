#pragma once

#include <cstdint>

#include "src/base/bytes.h"
#include "src/base/rng.h"

namespace dray::delivery {

// Names an episode: number `episode` of the environment that draws from stream (seed, purpose,
// env). Everything random in the episode follows from its name, for any layout of shards.
struct EpisodeKey {
  uint64_t seed = 0;
  RngPurpose purpose = RngPurpose::kEnvironment;
  uint64_t env = 0;
  uint64_t episode = 0;
};

void SaveKey(const EpisodeKey& key, ByteWriter& out);
// Throws an Error if the bytes are damaged.
EpisodeKey LoadKey(ByteReader& in);

// Returns the random numbers of an episode for one purpose.
Rng EpisodeRng(const EpisodeKey& key, RngPurpose purpose);

// Returns the random numbers with which a planner imagines the rest of the day at one decision.
// Different uses at the same decision take different streams.
Rng DecisionRng(const EpisodeKey& key, int step, uint32_t stream);

}  // namespace dray::delivery
