#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/flexibility/bayes.h"

namespace dray::dvrptw {

// Beliefs about every rider, from which actions are masked.
class Beliefs {
 public:
  // Creates version 0, in which nothing is known.
  explicit Beliefs(int riders);
  // `known` is 0 for riders that never answered a shift; their belief is ignored.
  Beliefs(int64_t version, std::span<const TypeBelief> beliefs, std::span<const uint8_t> known);

  int64_t version() const { return version_; }
  int riders() const { return std::ssize(beliefs_); }
  bool known(int rider) const { return known_.at(rider) != 0; }
  const TypeBelief& belief(int rider) const { return beliefs_.at(rider); }
  // Beliefs by rider.
  std::span<const TypeBelief> all() const { return beliefs_; }
  // Predicted types; both for an unknown rider, which allows every action.
  std::span<const Flexibility> types() const { return types_; }
  // Masks of all riders: [riders, 16].
  std::span<const uint8_t> masks() const { return masks_; }
  std::span<const uint8_t> mask(int rider) const;
  // Returns the number of known riders of each type.
  std::array<int, kFlexibilityTypes> Distribution() const;

  void Save(ByteWriter& out) const;
  // Accepts any number of riders; the caller checks it.
  static Beliefs Load(ByteReader& in);

 private:
  int64_t version_ = 0;
  std::vector<TypeBelief> beliefs_;
  std::vector<uint8_t> known_;
  std::vector<Flexibility> types_;
  std::vector<uint8_t> masks_;
};

// Returns beliefs that are certain of every rider's type.
std::vector<TypeBelief> TrueTypes(std::span<const Rider> riders);

}  // namespace dray::dvrptw
