#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

struct OracleAnswer {
  Plan plan;
  PlanCost cost;
};

// Prices batches of routing problems. Every plan is feasible; requests that cannot be served are
// left out and counted. Answers depend on the problem and the seed, never on the rest of the batch.
class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual std::string name() const = 0;
  virtual std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) = 0;

  // Solves problems that have changed a little, starting from the previous plan of each: inserts
  // new requests and repairs what no longer fits. By default, solves from scratch.
  virtual std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                            std::span<const Plan* const> /*plans*/) {
    return Solve(problems);
  }
  // Solves a single problem.
  OracleAnswer SolveOne(const Problem& problem) {
    const Problem* pointer = &problem;
    return std::move(Solve({&pointer, 1})[0]);
  }
  OracleAnswer ImproveOne(const Problem& problem, const Plan& plan) {
    const Problem* pointer = &problem;
    const Plan* kept = &plan;
    return std::move(Improve({&pointer, 1}, {&kept, 1})[0]);
  }
};

}  // namespace dray
