#pragma once

#include "src/envs/dvrptw/planning/foresight.h"

namespace dray::dvrptw {

// Computes how a day ends if all later riders are given the cheapest shift they agree to. It knows
// who they are, as only a simulator can, so that differences do not depend on the chance of who
// asks. For rewards, never for decisions.
class DayEnd {
 public:
  // The world must outlive it.
  DayEnd(const World& world, const Foresight::Settings& settings);

  // Returns the final cost, patience and penalties for dropped requests in minutes, if request
  // `next` and all later ones are answered that way. With none left, it is the day's actual result.
  double Of(const Day& day, int next);

 private:
  const World& world_;
  double unserved_penalty_;
  Foresight foresight_;
  Sketch plan_;
  Future future_;
};

}  // namespace dray::dvrptw
