#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "src/oracle/oracle.h"
#include "src/routing/problem.h"

namespace dray {

// Problems that no training has met, and what a strong search found them to cost.
class SequenceValidation {
 public:
  struct Reference {
    int rounds = 3000;  // of ruin and recreate ...
    int searches = 3;   // ... of which the best counts
  };

  // Searches on so many threads.
  SequenceValidation(std::vector<Problem> problems, const Reference& reference, int threads);

  // By how much the oracle's plans cost more in sum, as a share; each plan is driven and must be
  // feasible.
  double Gap(Oracle& oracle) const;
  // Of the reference, by problem, in ticks.
  double mean_cost() const;
  size_t size() const { return problems_.size(); }

 private:
  std::vector<Problem> problems_;
  std::vector<int64_t> costs_;
};

}  // namespace dray
