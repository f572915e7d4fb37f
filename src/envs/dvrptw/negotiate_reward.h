#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/envs/delivery/step_pricing.h"
#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/planning/day_end.h"

namespace dray::dvrptw {

// Computes the rewards (env.dvrptw.reward) of a batch of days that step together. One oracle call
// prices what was agreed in all of them, and what that is compared with.
class NegotiateReward {
 public:
  // World and pricing must outlive it.
  NegotiateReward(const DvrptwConfig& config, const World& world, delivery::StepPricing& pricing,
                  int count);
  NegotiateReward(const NegotiateReward&) = delete;
  NegotiateReward& operator=(const NegotiateReward&) = delete;

  // Must be called when a day begins, or continues from a saved state.
  void Begin(size_t env, const Day& day);
  // Prices the new requests, after all days have decided.
  void Price(std::span<const Day> days);
  // Gives the day its priced plan; returns the reward.
  double Settle(size_t env, Day& day);

 private:
  // Settles the plans; returns the reward that follows from their prices alone.
  double SettlePlans(size_t env, Day& day);

  const DvrptwConfig config_;
  delivery::StepPricing& pricing_;
  std::unique_ptr<DayEnd> day_end_;  // null unless against_cheapest_day
  std::vector<double> end_min_;      // final cost by environment

  // Arguments and answers of the current oracle call.
  std::vector<Problem> originals_;  // problems with the new request unshifted
  std::vector<const Problem*> problems_;
  std::vector<const Plan*> plans_;
  std::vector<OracleAnswer> answers_;
  std::vector<int> original_answer_;  // index into answers_ by environment, or -1
};

}  // namespace dray::dvrptw
