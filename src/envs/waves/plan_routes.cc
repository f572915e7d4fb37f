#include "src/envs/waves/plan_routes.h"

#include "src/envs/waves/sketch.h"

namespace dray::waves {

Routes PlanRoutes(const Instance& instance, Ticks departure, std::span<const Request> requests,
                  int /*rounds*/, uint64_t /*seed*/) {
  Sketch sketch(instance, departure);
  for (const Request& request : requests) sketch.Insert(request);
  return sketch.routes();
}

}  // namespace dray::waves
