#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/planning/day_end.h"
#include "src/envs/dvrptw/step_pricing.h"

namespace dray {

// What a shift is worth, as env.dvrptw.reward says, for a batch of days that step together. One
// call of the oracle prices what was agreed in all of them, and what that is compared with.
class NegotiateReward {
 public:
  // World and pricing outlive it.
  NegotiateReward(const DvrptwConfig& config, const DeliveryWorld& world, StepPricing& pricing,
                  int count);
  NegotiateReward(const NegotiateReward&) = delete;
  NegotiateReward& operator=(const NegotiateReward&) = delete;

  // A day begins, or continues from a saved state.
  void Begin(size_t env, const DeliveryDay& day);
  // After all of the days have decided.
  void Price(std::span<const DeliveryDay> days);
  // Gives the day the plan that was priced; returns the reward.
  double Settle(size_t env, DeliveryDay& day);

 private:
  // The reward by what the oracle said alone.
  double SettlePlans(size_t env, DeliveryDay& day);

  const DvrptwConfig config_;
  StepPricing& pricing_;
  std::unique_ptr<DayEnd> day_end_;  // of R5
  std::vector<double> end_min_;      // by environment: what the day would end with, for R5

  // What the present call of the oracle is about.
  std::vector<Problem> originals_;  // by environment: own history, the new request as asked for
  std::vector<const Problem*> problems_;
  std::vector<const Plan*> plans_;
  std::vector<OracleAnswer> answers_;
  std::vector<int> original_answer_;  // by environment: index into answers_, or -1
};

}  // namespace dray
