#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/flexibility/bayes.h"

namespace dray {

// What is believed about every rider, as published to those who mask actions by it.
class Beliefs {
 public:
  // Version 0: nothing is known of anybody.
  explicit Beliefs(int riders);
  // `known` is 0 for riders that never answered a shift; their belief is ignored.
  Beliefs(int64_t version, std::span<const TypeBelief> beliefs, std::span<const uint8_t> known);

  int64_t version() const { return version_; }
  int riders() const { return static_cast<int>(beliefs_.size()); }
  bool known(int rider) const { return known_.at(static_cast<size_t>(rider)) != 0; }
  const TypeBelief& belief(int rider) const { return beliefs_.at(static_cast<size_t>(rider)); }
  // By rider.
  std::span<const TypeBelief> all() const { return beliefs_; }
  // Predicted types. Of an unknown rider: both, for which every action is allowed.
  std::span<const Flexibility> types() const { return types_; }
  // [riders, 16].
  std::span<const uint8_t> masks() const { return masks_; }
  std::span<const uint8_t> mask(int rider) const;
  // How many of the known riders have each type.
  std::array<int, kFlexibilityTypes> Distribution() const;

  void Save(ByteWriter& out) const;
  // Takes any number of riders: a shard that pulls beliefs knows its own.
  static Beliefs Load(ByteReader& in);

 private:
  int64_t version_ = 0;
  std::vector<TypeBelief> beliefs_;
  std::vector<uint8_t> known_;
  std::vector<Flexibility> types_;
  std::vector<uint8_t> masks_;
};

// What is believed by whoever knows every rider's type.
std::vector<TypeBelief> TrueTypes(std::span<const Rider> riders);

}  // namespace dray
