#include "src/envs/delivery/planned_requests.h"

#include <utility>

#include "src/base/error.h"

namespace dray::delivery {

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
  Plan loaded;
  for (uint64_t i = 0; i < routes; ++i) loaded.routes.push_back(in.GetVector<int>());
  const Simulation driven = Simulate(problem, loaded);
  if (!driven.violations.empty() || driven.cost.unserved > 0) {
    throw Failure("a saved delivery plan is damaged");
  }
  plan = std::move(loaded);
  cost = driven.cost.total();
}

}  // namespace dray::delivery
