#pragma once

#include <algorithm>
#include <vector>

#include "tests/oracle/random_problems.h"

namespace dray {

// Random problems of all kinds, and pointers to them.
struct ProblemBatch {
  ProblemBatch(int count, int most_requests, uint64_t seed, bool all_of_most = false) {
    problems.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
      Rng rng(seed, RngPurpose::kTest, static_cast<uint64_t>(i));
      problems.push_back(all_of_most ? RandomDeliveryProblem(most_requests, rng)
                                     : AnyRandomProblem(most_requests, rng));
    }
    for (const Problem& problem : problems) pointers.push_back(&problem);
  }
  ProblemBatch(const ProblemBatch&) = delete;
  ProblemBatch& operator=(const ProblemBatch&) = delete;

  size_t MostRequests() const {
    size_t most = 0;
    for (const Problem& problem : problems) most = std::max(most, problem.requests.size());
    return most;
  }

  std::vector<Problem> problems;
  std::vector<const Problem*> pointers;
};

}  // namespace dray
