#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/judging/estimate.h"
#include "src/envs/dvrptw/riders.h"
#include "src/routing/plan.h"

namespace dray {

// A day that was played and judged. Times in minutes.
struct JudgedDay {
  double objective = 0;    // cost, patience and, with a hard fleet, what was left undone
  double cost = 0;         // by the judge
  double played_cost = 0;  // by the oracle it was played with
  double patience = 0;
  int vehicles = 0;
  int unserved = 0;
  double acceptance = 0;
  std::vector<double> shift_by_rider;

  // For pictures.
  Problem problem;
  Plan plan;
  std::vector<Trip> asked;  // by request
};

struct PolicyScore {
  std::string policy;
  std::vector<JudgedDay> days;  // one per episode, in the order of all policies

  Estimate objective, cost, patience, vehicles, unserved, acceptance, shift_min, failure;
  std::array<double, kFlexibilityTypes> shift_by_type{};  // mean minutes of a rider
  double gini = 0;                                        // of the riders' mean shifts
  // This policy's objective less another's, day by day: below 0 is better than the other.
  Estimate against_none;
  double against_none_pct = 0;
};

// What is believed of a rider, and what is true.
struct RiderBelief {
  Flexibility type = Flexibility::kNone;
  TypeBelief belief{};
  bool known = false;  // has ever answered a shift
};

struct Comparison {
  int episodes = 0;
  uint64_t seed = 0;
  double patience_weight = 0;
  bool held_out_riders = false;
  std::vector<PolicyScore> scores;
  // The learned policy's objective less each score's; empty without a learned policy.
  std::vector<Estimate> learned_against;
  // By rider; empty when nobody learned anything of these riders.
  std::vector<RiderBelief> beliefs;

  const PolicyScore* Find(const std::string& policy) const;
};

struct ComparisonOptions {
  std::vector<std::string> baselines;  // of the mode's names
  std::string weights;                 // of a learned policy; empty: none
  std::string side_model;              // what the side learner published: the beliefs
  std::function<void(const std::string& policy, int done, int of)> progress;

  // What is played, in the order of a report, each once: first what everything is compared with,
  // asked for or not, then the baselines, then "learned" if there are weights.
  std::vector<std::string> Policies(const std::string& reference) const;
};

// Plays the same held-out episodes with every policy and prices each day by the judge. `config` is
// of the delivery task in negotiate mode; its evaluation settings name episodes and seed.
Comparison Compare(const Config& config, const ComparisonOptions& options);

}  // namespace dray
