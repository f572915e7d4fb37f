#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/envs/dvrptw/planning/foresight.h"

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
  // What is thought of the actions beforehand: minutes by action, less is better, as good as having
  // played so many futures. Empty: nothing.
  struct Prior {
    std::span<const float> minutes = {};
    double futures = 0;
  };

  // The world outlives it.
  Lookahead(const DeliveryWorld& world, const Settings& settings);

  // `beliefs` are by rider, `mask` has the actions to choose from.
  int Decide(const DeliveryDay& day, std::span<const uint8_t> mask,
             std::span<const TypeBelief> beliefs, const Prior& prior);

  // Futures that were played, over all actions and decisions.
  int64_t played() const { return played_; }

 private:
  struct Candidate {
    int action = 0;
    double agrees = 1;           // probability that the rider does
    std::vector<double> values;  // by future, in minutes
    double score = 0;            // their mean with the prior
  };

  void Begin(const TypeBelief& belief);
  void PlayOne(const Future& future, uint64_t chance);
  void Rank(const Prior& prior);
  void DropWorse(const Prior& prior);

  const DeliveryWorld& world_;
  Settings settings_;
  Options options_;
  Foresight foresight_;
  std::vector<Candidate> candidates_;  // the best first, once ranked
  bool may_refuse_ = false;
  Future future_;
  int64_t played_ = 0;
};

}  // namespace dray
