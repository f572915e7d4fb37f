#pragma once

#include <cstdint>
#include <vector>

#include "src/oracle/oracle.h"
#include "src/routing/problem.h"

namespace dray::dvrptw {

// Problems that no training has met, with costs found by a strong search.
class SequenceValidation {
 public:
  struct Reference {
    int rounds = 3000;  // rounds of ruin and recreate
    int searches = 3;   // searches, the best of which counts
  };

  // Solves the problems on this number of threads.
  SequenceValidation(std::vector<Problem> problems, const Reference& reference, int threads);

  // Returns by how much the oracle's plans cost more in total, as a fraction. Simulates every plan,
  // which must be feasible.
  double Gap(Oracle& oracle) const;
  // Returns the mean cost of the reference in ticks.
  double mean_cost() const;
  size_t size() const { return problems_.size(); }

 private:
  std::vector<Problem> problems_;
  std::vector<int64_t> costs_;
};

}  // namespace dray::dvrptw
