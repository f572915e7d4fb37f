#pragma once

#include <array>
#include <span>
#include <vector>

#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/planning/sketch.h"

namespace dray::dvrptw {

// The plans that one decision can lead to: one for each action, if the rider agrees to it.
class Options {
 public:
  Options(const World& world, double patience_weight);

  // Loads the current request with the shifts that the mask allows (not 0) and that can be served;
  // no shift is always included.
  void Load(const Day& day, std::span<const uint8_t> mask);

  // Actions, no shift first.
  std::span<const int> actions() const { return actions_; }
  // Plan before the request.
  const Sketch& before() const { return before_; }
  // Plan with the request at its cheapest place. If the fleet cannot serve the request even
  // unshifted, it is the plan before (and seat().possible() is false).
  const Sketch& after(int action) const { return after_[action]; }
  const Sketch::Seat& seat(int action) const { return seats_[action]; }

 private:
  void Consider(const Trip& trip, int action);

  Sketch before_;
  std::vector<Sketch> after_;  // one per action
  std::array<Sketch::Seat, kShiftActions> seats_;
  std::vector<int> actions_;
};

}  // namespace dray::dvrptw
