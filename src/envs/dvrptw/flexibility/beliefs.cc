#include "src/envs/dvrptw/flexibility/beliefs.h"

#include "src/base/counts.h"
#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

constexpr TypeBelief kUnknown = {0.25f, 0.25f, 0.25f, 0.25f};

}  // namespace

Beliefs::Beliefs(int riders)
    : Beliefs(/*version=*/0, std::vector<TypeBelief>(riders, kUnknown),
              std::vector<uint8_t>(riders, 0)) {}

Beliefs::Beliefs(int64_t version, std::span<const TypeBelief> beliefs,
                 std::span<const uint8_t> known)
    : version_(version),
      beliefs_(beliefs.begin(), beliefs.end()),
      known_(known.begin(), known.end()) {
  DRAY_CHECK_EQ(beliefs_.size(), known_.size());
  types_.reserve(beliefs_.size());
  for (size_t i = 0; i < beliefs_.size(); ++i) {
    if (known_[i] == 0) beliefs_[i] = kUnknown;
    types_.push_back(known_[i] == 0 ? Flexibility::kBoth : LikeliestType(beliefs_[i]));
  }
  masks_.resize(beliefs_.size() * kShiftActions);
  WriteMasks(types_, masks_);
}

std::span<const uint8_t> Beliefs::mask(int rider) const {
  return masks().subspan(rider * kShiftActions, kShiftActions);
}

std::array<int, kFlexibilityTypes> Beliefs::Distribution() const {
  std::array<int, kFlexibilityTypes> counts{};
  for (size_t i = 0; i < types_.size(); ++i) counts[Index(types_[i])] += known_[i];
  return counts;
}

void Beliefs::Save(ByteWriter& out) const {
  out.Put(version_);
  out.PutVector(beliefs_);
  out.PutVector(known_);
}

Beliefs Beliefs::Load(ByteReader& in) {
  const auto version = in.Get<int64_t>();
  const auto beliefs = in.GetVector<TypeBelief>();
  const auto known = in.GetVector<uint8_t>();
  bool sound = IsCount(version) && beliefs.size() == known.size();
  for (const TypeBelief& belief : beliefs) {
    // Written so that NaN fails as well.
    for (const float share : belief) sound = sound && share >= 0 && share <= 1;
  }
  for (const uint8_t flag : known) sound = sound && flag <= 1;
  if (!sound) throw Failure("saved beliefs about riders are damaged");
  return Beliefs(version, beliefs, known);
}

std::vector<TypeBelief> TrueTypes(std::span<const Rider> riders) {
  std::vector<TypeBelief> types(riders.size());
  for (size_t i = 0; i < riders.size(); ++i) types[i][Index(riders[i].type)] = 1;
  return types;
}

}  // namespace dray::dvrptw
