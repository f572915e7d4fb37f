#pragma once

#include "src/envs/cage2/turn.h"

namespace dray::cage2 {

// What red decided to do. Every red agent acts through these, always from its foothold.
struct RedMove {
  RedAction action = RedAction::kSleep;
  int target = kNoHost;  // a host, or the subnet of kDiscoverSystems
};

// Carries it out, notes it in the record, and tells whether it succeeded.
bool PlayRed(RedMove move, Turn& turn);

}  // namespace dray::cage2
