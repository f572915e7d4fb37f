#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "src/base/parallel_for.h"

namespace dray::delivery {

// Planners that decide for many environments in parallel, one planner per core.
template <typename Planner>
class PlannerTeam {
 public:
  // Makes every planner from the same arguments.
  template <typename... Arguments>
  explicit PlannerTeam(const Arguments&... arguments) {
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < threads; ++i) planners_.emplace_back(arguments...);
  }

  // Fills `actions`; `decide` returns the action in an environment.
  template <typename Decide>
  void DecideAll(std::span<int32_t> actions, const Decide& decide) {
    ParallelFor(std::ssize(planners_), actions.size(), [&](size_t env, int thread) {
      actions[env] = decide(planners_[thread], static_cast<int>(env));
    });
  }

 private:
  std::vector<Planner> planners_;  // one per thread
};

}  // namespace dray::delivery
