#pragma once

#include <span>
#include <vector>

#include "src/oracle/neural/sequence_picker.h"
#include "src/oracle/oracle.h"
#include "src/oracle/tours.h"

namespace dray {

// Inserts the requests of a problem in given sequences, each where it costs least. Keeps its
// memory; one object per thread.
class SequenceInsertion {
 public:
  // Whose sequences come next; it must outlive them.
  void Load(const Problem& problem) { book_.Load(problem); }

  // What the plan costs that a sequence leads to.
  PlanCost Price(std::span<const int> sequence);
  // The best plan of several sequences, flat; the first of equals. Fewest unserved count first.
  OracleAnswer Best(const Sequences& sequences);

 private:
  void Insert(std::span<const int> sequence);

  TourBook book_;
  Tours tours_;
};

}  // namespace dray
