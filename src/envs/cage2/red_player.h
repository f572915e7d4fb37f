#pragma once

#include "src/base/rng.h"
#include "src/envs/cage2/red_knowledge.h"

namespace dray::cage2 {

// Chooses the moves of the red agent kLearned. Keeps no state of an episode, so environments of one
// thread may share it.
class RedPlayer {
 public:
  virtual ~RedPlayer() = default;

  // Chooses a move. `progress` is the elapsed share of the episode.
  virtual RedMove Choose(const RedKnowledge& knowledge, float progress, Rng& rng) = 0;
};

}  // namespace dray::cage2
