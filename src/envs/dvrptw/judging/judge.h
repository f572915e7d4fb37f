#pragma once

#include "src/oracle/ruin_recreate.h"
#include "src/routing/problem.h"

namespace dray {

// Prices what a day came to, apart from the oracle that it was played with: the requests, brought
// into an order of their own, are solved from scratch by a long search. The price depends on what
// was agreed alone, not on how the day went.
class Judge {
 public:
  explicit Judge(int rounds = 1000, int searches = 3);

  // Plans are in the stops of `problem`, whose requests are pairs or single stops.
  OracleAnswer Price(const Problem& problem);

 private:
  RuinRecreateOracle oracle_;
};

}  // namespace dray
