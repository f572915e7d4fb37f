#include "src/envs/dvrptw/planned_requests.h"

#include "src/base/error.h"

namespace dray {

void PlannedRequests::Clear(const Problem& empty) {
  problem = empty;
  plan.routes.clear();
  cost = 0;
}

void PlannedRequests::SavePlan(ByteWriter& out) const {
  out.Put<uint64_t>(plan.routes.size());
  for (const auto& route : plan.routes) out.PutVector(route);
}

void PlannedRequests::LoadPlan(ByteReader& in) {
  const auto routes = in.Get<uint64_t>();
  plan.routes.clear();
  for (uint64_t i = 0; i < routes; ++i) plan.routes.push_back(in.GetVector<int>());
  const Simulation driven = Simulate(problem, plan);
  if (!driven.violations.empty() || driven.cost.unserved > 0) {
    throw Failure("a saved plan of dvrptw is damaged");
  }
  cost = driven.cost.total();
}

}  // namespace dray
