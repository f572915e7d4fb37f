#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/envs/delivery/episode_key.h"
#include "src/envs/dvrptw/riders.h"

namespace dray::dvrptw {

using delivery::EpisodeKey;

// Random events of one step, drawn before the first action: two policies that play the same episode
// meet the same riders in the same mood.
struct Arrival {
  int rider = 0;
  int trip = 0;  // index in the rider's pool
  // True if the rider contradicts its type this time.
  bool contrary = false;
  // Uniform in [0, 1): the step explores if this is below epsilon.
  double explore_draw = 0;
  // Type whose mask an exploring step uses.
  Flexibility explore_as = Flexibility::kNone;

  bool operator==(const Arrival&) const = default;
};

// Draws the episode: every rider once, in random order, with one trip of its pool.
std::vector<Arrival> DrawEpisode(const EpisodeKey& key, std::span<const Rider> riders,
                                 double noise);

}  // namespace dray::dvrptw
