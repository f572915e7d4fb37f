#pragma once

#include <span>

#include "src/oracle/neural/sequence_picker.h"
#include "src/oracle/oracle.h"
#include "src/oracle/tours.h"

namespace dray {

// Inserts the requests of a problem in given sequences, each at its cheapest place. Reuses its
// memory; use one object per thread.
class SequenceInsertion {
 public:
  // Sets the problem, which must outlive the calls below.
  void Load(const Problem& problem) { book_.Load(problem); }

  // Returns the cost of the plan that a sequence leads to.
  PlanCost Price(std::span<const int> sequence);
  // Returns the best plan of several sequences: fewest unserved, then lowest cost, then first.
  OracleAnswer Best(const Sequences& sequences);

 private:
  void Insert(std::span<const int> sequence);

  TourBook book_;
  Tours tours_;
};

}  // namespace dray
