#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/flexibility/choice_buffer.h"

namespace dray {

// Probabilities of the four types.
using TypeBelief = std::array<float, kFlexibilityTypes>;

// The type with the highest probability; the first among equals.
Flexibility LikeliestType(const TypeBelief& belief);

// The exact posterior of every rider's type: prior times, for each answer, 1 - noise where the type
// would have answered the same and noise where not. Without noise, a rider whose answers fit no
// type has those types that contradict the fewest of them.
class BayesBelief {
 public:
  BayesBelief(int riders, double noise, TypeBelief prior = {0.25f, 0.25f, 0.25f, 0.25f});

  void Add(const Choice& choice);

  int riders() const { return static_cast<int>(evidence_.size()); }
  // Answers to a shift: no shift is always accepted and tells nothing.
  int64_t telling_answers(int rider) const;
  // All answers.
  int64_t answers(int rider) const;
  TypeBelief Posterior(int rider) const;
  // The same prior and noise, with these answers alone.
  BayesBelief Of(std::span<const Choice> choices) const;

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  struct Evidence {
    int64_t answers = 0;
    int64_t telling = 0;
    std::array<int64_t, kFlexibilityTypes> against{};  // answers the type would not have given
  };

  std::vector<Evidence> evidence_;
  double noise_;
  TypeBelief prior_;
};

}  // namespace dray
