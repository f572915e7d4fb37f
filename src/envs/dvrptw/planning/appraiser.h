#pragma once

#include <span>
#include <vector>

#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/planning/foresight.h"

namespace dray {

// What each action of a decision is worth, from sampled futures: an estimate with noise, but the
// same futures for every action. It knows the riders' true types, as only a simulator can: for
// learning, never for deciding.
class Appraiser {
 public:
  // The world outlives it.
  Appraiser(const DeliveryWorld& world, const Foresight::Settings& settings, int futures);

  // Minutes gained over no shift, by action. `accepted` has the actions that the rider would agree
  // to (not 0); the others come to no shift.
  void Appraise(const DeliveryDay& day, std::span<const uint8_t> accepted, std::span<float> gains);

 private:
  const DeliveryWorld& world_;
  int futures_;
  Options options_;
  Foresight foresight_;
  std::vector<TypeBelief> types_;  // by rider: certainties
  Future future_;
};

}  // namespace dray
