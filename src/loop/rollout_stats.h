#pragma once

#include <span>
#include <vector>

#include "src/env/env.h"
#include "src/metrics/report.h"

namespace dray {

// The environments' own numbers about their rollouts, over all shards since the last report.
class RolloutStats {
 public:
  explicit RolloutStats(std::vector<RolloutStat> stats)
      : stats_(std::move(stats)), sums_(stats_.size()) {}

  void Add(std::span<const double> values);
  // Records the rollout/stat/ metrics, if any rollout was added, and starts anew.
  void TakeInto(Report& report);

 private:
  std::vector<RolloutStat> stats_;
  std::vector<double> sums_;
  int64_t rollouts_ = 0;
};

}  // namespace dray
