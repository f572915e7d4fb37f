#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/dvrptw/judging/comparison.h"
#include "src/envs/dvrptw/judging/estimate.h"
#include "src/envs/dvrptw/riders.h"
#include "src/routing/plan.h"

namespace dray {

// A day of the mode offer that was played and judged. Costs in the units of its problem.
struct JudgedOffers {
  double objective = 0;     // cost, and what the lost customers cost
  double cost = 0;          // of serving those who booked, by the judge
  double played_cost = 0;   // by the oracle it was played with
  double lost_penalty = 0;  // of one customer
  int vehicles = 0;
  int customers = 0;
  int served = 0;
  std::array<int, kFlexibilityTypes> served_by_type{};
  std::array<int, kFlexibilityTypes> asked_by_type{};

  // For pictures.
  Problem problem;
  Plan plan;
  std::vector<Stop> asked;  // by request: with the customer's own window
};

struct OfferScore {
  std::string policy;
  std::vector<JudgedOffers> days;  // one per episode, in the order of all policies

  Estimate objective, cost, vehicles;
  Estimate served;             // share of the customers
  double cost_per_served = 0;  // cost of all days by customers served on all of them
  std::array<double, kFlexibilityTypes> served_by_type{};  // share of those who asked
  // This policy's objective less that of all_slots, day by day: below 0 is better.
  Estimate against_all_slots;
  double against_all_slots_pct = 0;
};

struct OfferComparison {
  int episodes = 0;
  uint64_t seed = 0;
  std::string instance;  // empty: generated customers
  std::vector<OfferScore> scores;
  // The learned policy's objective less each score's; empty without a learned policy.
  std::vector<Estimate> learned_against;

  const OfferScore* Find(const std::string& policy) const;
};

// Those that can be compared without having learned: OfferBaselineNames() and lookahead.
std::vector<std::string> OfferPolicyNames();
// Compare for the mode offer: baselines are of OfferPolicyNames(), and another name is an Error.
OfferComparison CompareOffers(const Config& config, const ComparisonOptions& options);

}  // namespace dray
