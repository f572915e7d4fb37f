#pragma once

#include "src/envs/dvrptw/planning/foresight.h"

namespace dray {

// How a very day ends when all who have yet to ask are given the cheapest shift that they agree to.
// It knows who they are, as only a simulator can: what is compared with it owes nothing to the
// chance of who asks. For rewards, never for deciding.
class DayEnd {
 public:
  // The world outlives it.
  DayEnd(const DeliveryWorld& world, const Foresight::Settings& settings);

  // Cost, patience and what dropped requests cost, in minutes, once request `next` and all after it
  // were answered so. With none left, it is what the day came to.
  double Of(const DeliveryDay& day, int next);

 private:
  const DeliveryWorld& world_;
  double unserved_penalty_;
  Foresight foresight_;
  Sketch plan_;
  Future future_;
};

}  // namespace dray
