#pragma once

#include <array>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/delivery/flexibility.h"
#include "src/envs/delivery/judging/comparison.h"
#include "src/routing/problem.h"

namespace dray::dvrptw_offer {

// A day that was played and judged. Costs are in the units of its problem.
struct JudgedDay : delivery::PlayedDay {
  double lost_penalty = 0;  // cost of losing one customer
  int customers = 0;
  int served = 0;
  std::array<int, delivery::kFlexibilityTypes> served_by_type{};
  std::array<int, delivery::kFlexibilityTypes> asked_by_type{};
  std::vector<Stop> asked;  // one per request, with the customer's own window
};

// The objective is the cost of serving those who booked plus the penalties for the lost customers.
struct PolicyScore : delivery::ScoreOf<JudgedDay> {
  delivery::Estimate served;                                         // share of the customers
  double cost_per_served = 0;                                        // mean over all days
  std::array<double, delivery::kFlexibilityTypes> served_by_type{};  // share of those who asked
};

struct Comparison : delivery::ComparisonOf<PolicyScore> {
  std::string instance;  // empty: generated customers
};

// Names of the policies that need no training: BaselineNames() and lookahead.
std::vector<std::string> PolicyNames();

// Plays the same held-out episodes with every policy and prices each day with the judge. Throws an
// Error for a baseline that is not one of PolicyNames().
Comparison Compare(const Config& config, const delivery::ComparisonOptions& options);

}  // namespace dray::dvrptw_offer
