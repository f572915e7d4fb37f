#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/envs/dvrptw/planning/foresight.h"
#include "src/envs/dvrptw/planning/race.h"

namespace dray {

// Decides by looking ahead: every shift that the rider may agree to is played into the same sampled
// futures, and the one that ends best on average is proposed. Shifts that are clearly worse are
// dropped on the way, and when one is left, that is it.
class Lookahead {
 public:
  struct Settings {
    int futures = 128;       // at most, per decision
    double decision_ms = 0;  // at most, per decision; 0: no limit. What is decided then depends on
                             // the machine
    Foresight::Settings foresight;
  };

  // The world outlives it.
  Lookahead(const DeliveryWorld& world, const Settings& settings);

  // `beliefs` are by rider, `mask` has the actions to choose from, `prior` is in minutes.
  int Decide(const DeliveryDay& day, std::span<const uint8_t> mask,
             std::span<const TypeBelief> beliefs, const Race::Prior& prior);

  // Futures that were played, over all actions and decisions.
  int64_t played() const { return played_; }

 private:
  void Begin(const TypeBelief& belief, const Race::Prior& prior);
  void PlayOne(const Future& future, uint64_t chance);

  const DeliveryWorld& world_;
  Settings settings_;
  Options options_;
  Foresight foresight_;
  Race race_;
  std::array<double, kShiftActions> agrees_{};  // probability that the rider does, by action
  bool may_refuse_ = false;
  Future future_;
  int64_t played_ = 0;
};

}  // namespace dray
