#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/world.h"
#include "src/oracle/insertion.h"
#include "src/oracle/ruin_recreate.h"
#include "src/oracle/tours.h"

namespace dray {

// What could have been agreed, had all riders of the day been known beforehand, with their types.
struct HindsightPlan {
  Problem problem;           // with the chosen windows
  Plan plan;                 // of it
  std::vector<int> actions;  // by request
};

// Shifts and routes together, by a heuristic: a bound that no policy should beat by much. It begins
// once with no shifts and once with the largest; then riders who are near each other in time are
// taken off the plan together and put back with the shifts that cost least, patience included, in
// turns with ruin and recreate; simulated annealing decides what is kept.
class Hindsight {
 public:
  Hindsight(const DeliveryWorld& world, double patience_weight, int turns = 400);

  // `trips` as asked for, `types` of their riders.
  HindsightPlan Solve(std::span<const Trip> trips, std::span<const Flexibility> types);

 private:
  // Cost with patience, in ticks.
  double Objective(const HindsightPlan& plan, int64_t cost) const;
  // From these actions on; returns the objective.
  double Search(std::span<const Trip> trips, std::span<const Flexibility> types, Rng& rng,
                HindsightPlan& plan);
  void PutBack(int request, const Trip& asked, Flexibility type, HindsightPlan& plan);

  const DeliveryWorld& world_;
  double patience_weight_;
  int turns_;
  RuinRecreateOracle first_;
  RuinRecreateOracle between_;
  RuinRecreateOracle polish_;
  PricedInsertion pricing_;
  TourBook book_;
  Tours tours_;
};

}  // namespace dray
