#pragma once

#include <cstdint>
#include <span>

#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/planning/futures.h"
#include "src/envs/dvrptw/planning/options.h"
#include "src/envs/dvrptw/planning/sketch.h"

namespace dray {

// What a plan leads to, by playing futures: the riders to come are given the cheapest shift that
// they agree to, and the plan of the whole day is improved at its end, their shifts with it. A
// policy that sees ahead gives better shifts than the cheapest, if not as good ones as hindsight
// does.
class Foresight {
 public:
  struct Settings {
    static Settings Of(const DvrptwConfig& config, int rounds) {
      return {config.patience_weight(), config.unserved_penalty(), rounds};
    }

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
  // The same of a plan, with the patience for what was added to it since it was loaded.
  double Play(const Sketch& plan, const Future& future, uint64_t chance);

 private:
  Settings settings_;
  Sketch plan_;
};

}  // namespace dray
