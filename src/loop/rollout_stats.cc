#include "src/loop/rollout_stats.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/metrics/table.h"

namespace dray {

void RolloutStats::Add(std::span<const double> values) {
  DRAY_CHECK_EQ(values.size(), stats_.size());
  for (size_t i = 0; i < values.size(); ++i) sums_[i] += values[i];
  ++rollouts_;
}

void RolloutStats::TakeInto(Report& report) {
  if (rollouts_ == 0) return;
  for (size_t i = 0; i < stats_.size(); ++i) {
    const bool mean = stats_[i].over == RolloutStat::Over::kMean;
    report.Record(Cat(kRolloutStatPrefix, stats_[i].name),
                  mean ? sums_[i] / static_cast<double>(rollouts_) : sums_[i]);
  }
  std::ranges::fill(sums_, 0.0);
  rollouts_ = 0;
}

}  // namespace dray
