#pragma once

#include <cstddef>

#include "src/base/rng.h"
#include "src/envs/cage2/red_knowledge.h"

namespace dray::cage2 {

// Chooses the moves of the red agent kLearned, which may be one of several policies. Keeps no state
// of an episode, so environments of one thread may share it.
class RedPlayer {
 public:
  virtual ~RedPlayer() = default;

  virtual size_t policies() const { return 1; }
  // Draws the policy that plays an episode.
  virtual size_t DrawPolicy(Rng& /*rng*/) { return 0; }
  // Chooses a move. `progress` is the elapsed share of the episode.
  virtual RedMove Choose(size_t policy, const RedKnowledge& knowledge, float progress,
                         Rng& rng) = 0;
};

}  // namespace dray::cage2
