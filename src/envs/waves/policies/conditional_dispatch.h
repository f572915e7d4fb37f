#pragma once

#include <vector>

#include "src/envs/waves/policies/dispatch_policy.h"
#include "src/envs/waves/policies/scenario.h"

namespace dray::waves {

struct ConditionalOptions {
  int iterations = 3;
  int scenarios = 10;
  int lookahead = 1;            // epochs of arrivals that are sampled
  double dispatch_share = 0.5;  // a request that leaves now in at least this share of plans goes
  double hold_share = 0.8;      // one that waits in at least this share of plans is held
  double route_share = 0.25;    // share of the effort for the routes of what goes
};

// Iterative conditional dispatch (Lan and others 2024): plans sampled futures, dispatches what
// leaves now in most plans, holds what leaves in few, and repeats for the rest under these
// verdicts. Futures stay the same over the iterations, and each plan continues the one before.
class ConditionalDispatch : public DispatchPolicy {
 public:
  explicit ConditionalDispatch(const ConditionalOptions& options = {}) : options_(options) {}

  Routes Decide(const Day& day, const Effort& effort, Rng& rng) const override;

 private:
  std::vector<Verdict> Verdicts(const Day& day, const Effort& effort, Rng& rng) const;

  ConditionalOptions options_;
};

}  // namespace dray::waves
