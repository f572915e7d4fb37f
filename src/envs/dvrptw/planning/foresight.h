#pragma once

#include <cstdint>
#include <span>

#include "src/envs/dvrptw/planning/futures.h"
#include "src/envs/dvrptw/planning/options.h"
#include "src/envs/dvrptw/planning/sketch.h"

namespace dray {

// What an action leads to, by playing futures: the riders to come are given the cheapest shift that
// they agree to, and the plan of the whole day is improved at its end.
class Foresight {
 public:
  struct Settings {
    double patience_weight = 0;   // minutes of cost per minute of shift
    double unserved_penalty = 0;  // minutes
    // Of ruin and recreate at the end of each future: less bias, at a price.
    int rounds = 0;
  };

  // The world outlives it.
  Foresight(const DeliveryWorld& world, const Settings& settings);

  // Cost and patience that this action ends with if the rider agrees and the rest of the day goes
  // so, in minutes. Options that differ in the action alone, with the same future and chance,
  // differ in little else: compare them.
  double Play(const Options& options, int action, const Future& future, uint64_t chance);

 private:
  double PatienceOf(int action) const { return PatiencePenalty(action, settings_.patience_weight); }

  Settings settings_;
  Sketch plan_;
};

}  // namespace dray
