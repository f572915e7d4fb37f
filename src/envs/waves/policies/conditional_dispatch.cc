#include "src/envs/waves/policies/conditional_dispatch.h"

#include <algorithm>

namespace dray::waves {

std::vector<Verdict> ConditionalDispatch::Verdicts(const Day& day, const Effort& effort,
                                                   Rng& rng) const {
  const std::span<const Request> open = day.open();
  std::vector<Verdict> verdicts(open.size(), Verdict::kOpen);
  for (size_t i = 0; i < open.size(); ++i) {
    if (open[i].must_go) verdicts[i] = Verdict::kDispatch;
  }
  std::vector<Scenario> scenarios;
  for (int i = 0; i < options_.scenarios; ++i) scenarios.emplace_back(day, options_.lookahead, rng);
  const Effort each = effort.Share(1.0 / (options_.iterations * options_.scenarios));
  for (int iteration = 0; iteration < options_.iterations; ++iteration) {
    std::vector<int> leaves(open.size());
    for (Scenario& scenario : scenarios) {
      scenario.Improve(verdicts, each);
      const std::vector<uint8_t> now = scenario.LeavesNow(verdicts);
      for (size_t i = 0; i < open.size(); ++i) leaves[i] += now[i];
    }
    bool undecided = false;
    for (size_t i = 0; i < open.size(); ++i) {
      if (verdicts[i] != Verdict::kOpen) continue;
      const double share = static_cast<double>(leaves[i]) / options_.scenarios;
      if (share >= options_.dispatch_share) {
        verdicts[i] = Verdict::kDispatch;
      } else if (1 - share >= options_.hold_share) {
        verdicts[i] = Verdict::kHold;
      } else {
        undecided = true;
      }
    }
    if (!undecided) break;
  }
  return verdicts;
}

Routes ConditionalDispatch::Decide(const Day& day, const Effort& effort, Rng& rng) const {
  if (day.last_epoch()) return PlanDispatch(day, day.open(), effort, rng.Next64());
  const std::vector<Verdict> verdicts = Verdicts(day, effort.Share(1 - options_.route_share), rng);
  std::vector<Request> requests;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] == Verdict::kDispatch) requests.push_back(day.open()[i]);
  }
  return PlanDispatch(day, requests, effort.Share(options_.route_share), rng.Next64());
}

}  // namespace dray::waves
