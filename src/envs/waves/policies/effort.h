#pragma once

#include <cstdint>

#include "src/oracle/vrptw/prize_search.h"

namespace dray::waves {

// Effort of a decision: seconds of wall-clock time on one core, or rounds of search. With rounds,
// decisions are the same on every machine.
struct Effort {
  double seconds = 0;
  int64_t rounds = 0;  // used if seconds is 0

  Effort Share(double share) const {
    return {.seconds = seconds * share, .rounds = static_cast<int64_t>(rounds * share)};
  }
  void Spend(PrizeSearch& search) const {
    if (seconds > 0) {
      search.RunFor(seconds);
    } else {
      search.Run(rounds);
    }
  }
};

// Returns the effort that a user asked for: rounds, or seconds if these are 0.
inline Effort EffortOf(double seconds, int64_t rounds) {
  return rounds > 0 ? Effort{.rounds = rounds} : Effort{.seconds = seconds};
}

}  // namespace dray::waves
