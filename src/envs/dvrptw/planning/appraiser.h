#pragma once

#include <span>
#include <vector>

#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/planning/foresight.h"

namespace dray::dvrptw {

// Estimates what each action of a decision is worth, with the same sampled futures for every
// action. It knows the riders' true types, as only a simulator can: for learning, never for
// decisions.
class Appraiser {
 public:
  // The world must outlive it.
  Appraiser(const World& world, const Foresight::Settings& settings, int futures);

  // Writes the minutes gained over no shift, by action. `accepted` is not 0 for the actions that
  // the rider would agree to; the others lead to no shift.
  void Appraise(const Day& day, std::span<const uint8_t> accepted, std::span<float> gains);

 private:
  const World& world_;
  int futures_;
  Options options_;
  Foresight foresight_;
  std::vector<TypeBelief> types_;  // true types with probability 1, by rider
  Future future_;
};

}  // namespace dray::dvrptw
