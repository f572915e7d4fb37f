#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/envs/delivery/planning/race.h"
#include "src/envs/dvrptw/planning/foresight.h"

namespace dray::dvrptw {

// Decides by looking ahead: plays every shift that the rider may agree to into the same sampled
// futures and proposes the one that ends best on average. Shifts that are clearly worse drop out on
// the way.
class Lookahead {
 public:
  struct Settings {
    delivery::RaceLimits limits;
    Foresight::Settings foresight;
  };

  // The world must outlive it.
  Lookahead(const World& world, const Settings& settings);

  // Returns the action to propose. `mask` has the actions to choose from, `beliefs` are by rider,
  // `prior` is in minutes.
  int Decide(const Day& day, std::span<const uint8_t> mask, std::span<const TypeBelief> beliefs,
             const delivery::Race::Prior& prior);

  // Number of futures played, over all actions and decisions.
  int64_t played() const { return played_; }

 private:
  void Begin(const TypeBelief& belief, const delivery::Race::Prior& prior);
  void PlayOne(const Future& future, uint64_t chance);

  const World& world_;
  Settings settings_;
  Options options_;
  Foresight foresight_;
  delivery::Race race_;
  std::array<double, kShiftActions> agrees_{};  // probability that the rider agrees, by action
  bool may_refuse_ = false;
  Future future_;
  int64_t played_ = 0;
};

}  // namespace dray::dvrptw
