#include "src/envs/dvrptw/step_pricing.h"

#include <limits>
#include <utility>

namespace dray {

StepPricing::StepPricing(MadeOracle oracle, int max_batch)
    : take_splits_(std::move(oracle.take_splits)),
      splitting_(std::make_shared<SplittingOracle>(
          std::move(oracle.oracle),
          take_splits_ ? std::numeric_limits<size_t>::max() : static_cast<size_t>(max_batch))),
      oracle_(splitting_) {}

void StepPricing::CountStep(int64_t cost_before, int64_t cost_after) {
  ++steps_;
  falls_ += cost_after < cost_before;
}

std::vector<RolloutStat> StepPricing::Stats() {
  using Over = RolloutStat::Over;
  return {{"oracle_calls", Over::kSum},
          {"oracle_problems", Over::kSum},
          {"oracle_batch", Over::kMean},
          {"oracle_noise_pct", Over::kMean}};
}

std::vector<double> StepPricing::TakeStats() {
  const OracleTimes times = oracle_.times();
  const auto calls = static_cast<double>(times.calls - std::exchange(reported_.calls, times.calls));
  const auto problems =
      static_cast<double>(times.problems - std::exchange(reported_.problems, times.problems));
  const auto steps = static_cast<double>(std::exchange(steps_, 0));
  const auto falls = static_cast<double>(std::exchange(falls_, 0));
  return {calls, problems, calls > 0 ? problems / calls : 0, steps > 0 ? 100 * falls / steps : 0};
}

OracleUse StepPricing::TakeUse() {
  const double seconds = oracle_.times().seconds;
  const int64_t splits = splitting_->TakeSplits() + (take_splits_ ? take_splits_() : 0);
  return {seconds - std::exchange(reported_.seconds, seconds), splits};
}

void StepPricing::Save(ByteWriter& out) const {
  out.Put(steps_);
  out.Put(falls_);
}

void StepPricing::Load(ByteReader& in) {
  steps_ = in.Get<int64_t>();
  falls_ = in.Get<int64_t>();
}

}  // namespace dray
