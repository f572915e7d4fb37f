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

// Prices routing problems: a batch in, costs and plans out. Every plan is feasible; what cannot be
// served is left out and counted. The same problems and seed give the same answers, whatever the
// batch they come in.
class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual std::string name() const = 0;
  virtual std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) = 0;

  // The same for problems that grew or changed a little, with the plan that each had before: what
  // the plan lacks (a request that was added) or what no longer fits (a window that moved) is
  // mended. Oracles that do not keep plans solve anew.
  virtual std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                            std::span<const Plan* const> /*plans*/) {
    return Solve(problems);
  }
  // For one problem.
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
