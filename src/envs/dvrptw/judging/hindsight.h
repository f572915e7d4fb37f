#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/world.h"
#include "src/oracle/insertion.h"
#include "src/oracle/ruin_recreate.h"
#include "src/oracle/tours.h"

namespace dray::dvrptw {

// The best agreements, had all riders of the day and their types been known beforehand.
struct HindsightPlan {
  Problem problem;  // has the chosen windows
  Plan plan;
  std::vector<int> actions;  // one per request
};

// Optimises shifts and routes together with a heuristic: a bound that no policy should beat by
// much. Starts once with no shifts and once with the largest; then repeatedly takes riders who are
// close in time off the plan and puts them back with the cheapest shifts, including patience,
// alternating with ruin and recreate. Simulated annealing decides what is kept.
class Hindsight {
 public:
  Hindsight(const World& world, double patience_weight, int turns = 400);

  // Solves a day, given the trips as asked for and the types of their riders.
  HindsightPlan Solve(std::span<const Trip> trips, std::span<const Flexibility> types);

 private:
  // Returns cost and patience in ticks.
  double Objective(const HindsightPlan& plan, int64_t cost) const;
  // Improves a plan; returns its objective.
  double Search(std::span<const Trip> trips, std::span<const Flexibility> types, Rng& rng,
                HindsightPlan& plan);
  void PutBack(int request, const Trip& asked, Flexibility type, HindsightPlan& plan);

  const World& world_;
  double patience_weight_;
  int turns_;
  RuinRecreateOracle first_;
  RuinRecreateOracle between_;
  RuinRecreateOracle polish_;
  PricedInsertion pricing_;
  TourBook book_;
  Tours tours_;
};

}  // namespace dray::dvrptw
