#pragma once

#include <cstdint>

#include "src/base/bytes.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray::delivery {

// Requests and the plan that serves all of them.
struct PlannedRequests {
  Problem problem;
  Plan plan;
  int64_t cost = 0;  // ticks

  // Starts over with `empty`, a problem without requests.
  void Clear(const Problem& empty);

  // Saves and loads the plan alone: the requests must be in the problem before LoadPlan, which
  // recomputes the cost and throws an Error if the plan does not serve them.
  void SavePlan(ByteWriter& out) const;
  void LoadPlan(ByteReader& in);
};

}  // namespace dray::delivery
