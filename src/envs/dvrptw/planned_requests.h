#pragma once

#include <cstdint>

#include "src/base/bytes.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// Requests and the plan that serves them. A request that no vehicle can serve is not among them.
struct PlannedRequests {
  Problem problem;
  Plan plan;
  int64_t cost = 0;  // in ticks

  // Of `empty`, which has no requests.
  void Clear(const Problem& empty);

  // The plan alone: the requests must be there before it is loaded, and its cost is worked out
  // anew. A plan that does not serve them is an Error.
  void SavePlan(ByteWriter& out) const;
  void LoadPlan(ByteReader& in);
};

}  // namespace dray
