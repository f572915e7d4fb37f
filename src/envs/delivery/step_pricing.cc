#include "src/envs/delivery/step_pricing.h"

#include <utility>

#include "src/base/counts.h"
#include "src/base/error.h"

namespace dray::delivery {

StepPricing::StepPricing(MadeOracle oracle) : made_(std::move(oracle)), oracle_(made_.oracle()) {}

void StepPricing::OnRollout(const RolloutContext& context) {
  if (context.side_by_side && made_.meeting) attendance_.emplace(made_.meeting);
}

void StepPricing::CountStep(int64_t cost_before, int64_t cost_after) {
  ++steps_;
  falls_ += cost_after < cost_before;
}

std::vector<RolloutStat> StepPricing::Stats() {
  using Over = RolloutStat::Over;
  return {{"oracle_calls", Over::kSum},
          {"oracle_problems", Over::kSum},
          {"oracle_batch", Over::kQuotient, "oracle_problems", "oracle_calls"},
          {"oracle_noise_pct", Over::kMean}};
}

std::vector<double> StepPricing::TakeStats() {
  const double calls = made_.counted->TakeCalls().calls;
  const double problems = std::exchange(problems_, 0);
  const double steps = std::exchange(steps_, 0);
  const double falls = std::exchange(falls_, 0);
  return {calls, problems, calls > 0 ? problems / calls : 0, steps > 0 ? 100 * falls / steps : 0};
}

ServiceUse StepPricing::TakeUse() {
  const double seconds = oracle_.times().seconds;
  return {seconds - std::exchange(reported_s_, seconds), made_.counted->TakeSplits()};
}

void StepPricing::Save(ByteWriter& out) const {
  out.Put(steps_);
  out.Put(falls_);
}

StepPricing::Counts StepPricing::ReadCounts(ByteReader& in) {
  const auto steps = in.Get<int64_t>(), falls = in.Get<int64_t>();
  if (!IsCount(steps) || !IsCount(falls)) throw Failure("saved counts of the oracle are damaged");
  return {.steps = steps, .falls = falls};
}

void StepPricing::SetCounts(const Counts& counts) {
  steps_ = counts.steps;
  falls_ = counts.falls;
}

}  // namespace dray::delivery
