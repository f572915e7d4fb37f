#pragma once

#include "src/oracle/ruin_recreate.h"
#include "src/routing/problem.h"

namespace dray::delivery {

// Prices a played day independently of the oracle it was played with: sorts the requests and solves
// them from scratch with a long search. The price depends only on what was agreed, not on the order
// of events.
class Judge {
 public:
  explicit Judge(int rounds = 1000, int searches = 3);

  // Solves a problem whose requests are pairs or single stops.
  OracleAnswer Price(const Problem& problem);

 private:
  RuinRecreateOracle oracle_;
};

}  // namespace dray::delivery
