#pragma once

#include <cstdint>
#include <span>

#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/planning/futures.h"
#include "src/envs/dvrptw/planning/options.h"
#include "src/envs/dvrptw/planning/sketch.h"

namespace dray::dvrptw {

// Estimates what a plan leads to by playing futures: later riders are given the cheapest shift they
// agree to, and the plan of the whole day, including their shifts, is improved at its end. A policy
// that looks ahead finds better shifts than the cheapest, though not as good as hindsight.
class Foresight {
 public:
  struct Settings {
    static Settings Of(const DvrptwConfig& config, int rounds) {
      return {config.patience_weight(), config.unserved_penalty(), rounds};
    }

    double patience_weight = 0;   // minutes of cost per minute of shift
    double unserved_penalty = 0;  // minutes
    // Rounds of ruin and recreate at the end of each future: more mean less bias and more time.
    int rounds = 0;
  };

  // The world must outlive it.
  Foresight(const World& world, const Settings& settings);

  // Returns the final cost and patience in minutes if the rider agrees to this action and the day
  // continues with this future. Compare actions with the same future and chance.
  double Play(const Options& options, int action, const Future& future, uint64_t chance);
  // Does the same from a plan, with the patience for what was added since it was loaded.
  double Play(const Sketch& plan, const Future& future, uint64_t chance);

 private:
  Settings settings_;
  Sketch plan_;
};

}  // namespace dray::dvrptw
