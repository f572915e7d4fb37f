#pragma once

#include "src/base/rng.h"
#include "src/envs/cage2/red_knowledge.h"

namespace dray::cage2 {

// Who decides for a red agent that is kLearned. May be shared by environments of one thread: all
// that an episode needs is in what red knows.
class RedPlayer {
 public:
  virtual ~RedPlayer() = default;

  // `progress`: the share of the episode that is over.
  virtual RedMove Choose(const RedKnowledge& knowledge, float progress, Rng& rng) = 0;
};

}  // namespace dray::cage2
