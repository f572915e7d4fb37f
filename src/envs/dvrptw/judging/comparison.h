#pragma once

#include <array>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/delivery/judging/comparison.h"
#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/riders.h"

namespace dray::dvrptw {

using delivery::ComparisonOptions;
using delivery::Estimate;

// A day that was played and judged. Times are in minutes.
struct JudgedDay : delivery::PlayedDay {
  double patience = 0;
  int unserved = 0;
  double acceptance = 0;
  std::vector<double> shift_by_rider;
  std::vector<Trip> asked;  // one per request
};

// The objective is cost, patience and, with a hard fleet, penalties for dropped requests.
struct PolicyScore : delivery::ScoreOf<JudgedDay> {
  Estimate patience, unserved, acceptance, shift_min, failure;
  std::array<double, kFlexibilityTypes> shift_by_type{};  // mean minutes per rider
  double gini = 0;                                        // inequality of the riders' mean shifts
};

// The belief about a rider and the truth.
struct RiderBelief {
  Flexibility type = Flexibility::kNone;
  TypeBelief belief{};
  bool known = false;  // has ever answered a shift
};

struct Comparison : delivery::ComparisonOf<PolicyScore> {
  double patience_weight = 0;
  bool held_out_riders = false;
  std::vector<RiderBelief>
      beliefs;  // one per rider; empty if nothing was learned about these riders
};

// Plays the same held-out episodes with every policy and prices each day with the judge. The
// evaluation settings of `config` have the number of episodes and the seed.
Comparison Compare(const Config& config, const ComparisonOptions& options);

}  // namespace dray::dvrptw
