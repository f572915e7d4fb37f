#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/flexibility/choice_buffer.h"

namespace dray::dvrptw {

// Probabilities of the four types.
using TypeBelief = std::array<float, kFlexibilityTypes>;

// Returns the type with the highest probability; the first among equals.
Flexibility LikeliestType(const TypeBelief& belief);

// Computes the exact posterior of every rider's type: the prior times, for each answer, 1 - noise
// if the type would have answered the same and noise if not. Without noise, a rider whose answers
// fit no type gets the types that contradict the fewest of them.
class BayesBelief {
 public:
  BayesBelief(int riders, double noise, TypeBelief prior = {0.25f, 0.25f, 0.25f, 0.25f});

  void Add(const Choice& choice);

  int riders() const { return std::ssize(evidence_); }
  // Number of answers to a shift. No shift is always accepted and tells nothing.
  int64_t telling_answers(int rider) const;
  // Number of all answers.
  int64_t answers(int rider) const;
  TypeBelief Posterior(int rider) const;
  // Returns beliefs with the same prior and noise from these answers alone.
  BayesBelief Of(std::span<const Choice> choices) const;

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  struct Evidence {
    int64_t answers = 0;
    int64_t telling = 0;
    std::array<int64_t, kFlexibilityTypes> against{};  // answers that contradict the type
  };

  std::vector<Evidence> evidence_;
  double noise_;
  TypeBelief prior_;
};

}  // namespace dray::dvrptw
