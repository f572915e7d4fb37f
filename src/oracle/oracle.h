#pragma once

#include <cstdint>
#include <span>
#include <string>
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
};

}  // namespace dray
