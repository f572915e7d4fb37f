#pragma once

#include <array>
#include <span>
#include <vector>

#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/planning/sketch.h"

namespace dray {

// What can come of one decision: the plan after each action, if the rider agrees to it.
class Options {
 public:
  Options(const DeliveryWorld& world, double patience_weight);

  // The request that a day asks about, with those shifts that the mask allows (not 0) and that can
  // be served; no shift is always among them.
  void Load(const DeliveryDay& day, std::span<const uint8_t> mask);

  // No shift first.
  std::span<const int> actions() const { return actions_; }
  // The plan before.
  const Sketch& before() const { return before_; }
  // With the request at its cheapest place. A fleet that cannot serve it even as it was asked for
  // leaves the plan as it was (seat().possible() is false).
  const Sketch& after(int action) const { return after_[action]; }
  const Sketch::Seat& seat(int action) const { return seats_[action]; }

 private:
  void Consider(const Trip& trip, int action);

  Sketch before_;
  std::vector<Sketch> after_;  // by action
  std::array<Sketch::Seat, kShiftActions> seats_;
  std::vector<int> actions_;
};

}  // namespace dray
