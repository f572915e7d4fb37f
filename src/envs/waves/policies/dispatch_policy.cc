#include "src/envs/waves/policies/dispatch_policy.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/envs/waves/policies/conditional_dispatch.h"
#include "src/oracle/vrptw/prize_search.h"

namespace dray::waves {
namespace {

// Dispatches requests that must go, and each other one with a fixed probability.
class FixedShare : public DispatchPolicy {
 public:
  explicit FixedShare(double share) : share_(share) {}

  Routes Decide(const Day& day, const Effort& effort, Rng& rng) const override {
    std::vector<Request> requests;
    for (const Request& request : day.open()) {
      if (request.must_go || rng.Uniform() < share_) requests.push_back(request);
    }
    return PlanDispatch(day, requests, effort, rng.Next64());
  }

 private:
  double share_;
};

}  // namespace

Routes PlanDispatch(const Day& day, std::span<const Request> requests, const Effort& effort,
                    uint64_t seed, const Routes& start) {
  const Instance& instance = day.instance();
  PrizeProblem problem{.travel = instance.travel,
                       .depot_opens = day.departure(),
                       .depot_closes = instance.depot_closes,
                       .capacity = instance.capacity};
  std::vector<int> index_of(day.arrived().size() + 1, -1);  // by number
  for (const Request& request : requests) {
    index_of[request.id] = static_cast<int>(problem.stops.size());
    problem.stops.push_back({.place = request.place,
                             .opens = request.opens,
                             .closes = request.closes,
                             .service = request.service,
                             .load = request.load});
  }
  std::vector<std::vector<int>> known;
  for (const std::vector<int>& route : start) {
    std::vector<int>& stops = known.emplace_back();
    for (const int id : route) {
      if (index_of[id] >= 0) stops.push_back(index_of[id]);
    }
  }
  PrizeSearch search(problem, {.seed = seed});
  if (!known.empty()) search.Start(known);
  effort.Spend(search);
  Routes routes;
  for (const std::vector<int>& stops : search.Best().routes) {
    std::vector<int>& route = routes.emplace_back();
    for (const int stop : stops) route.push_back(requests[stop].id);
  }
  return routes;
}

std::unique_ptr<DispatchPolicy> MakePolicy(const std::string& name) {
  if (name == "greedy") return std::make_unique<FixedShare>(1);
  if (name == "lazy") return std::make_unique<FixedShare>(0);
  if (name == "random") return std::make_unique<FixedShare>(0.5);
  if (name == "conditional") return std::make_unique<ConditionalDispatch>();
  throw UsageError("'", name, "' is not a policy for waves; use ", kPolicyNames);
}

}  // namespace dray::waves
