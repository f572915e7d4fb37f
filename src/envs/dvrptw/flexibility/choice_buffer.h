#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/actions.h"

namespace dray {

// A rider's answer to a proposed shift.
struct Choice {
  int32_t rider = 0;
  int16_t action = 0;
  int16_t accepted = 0;  // 0 or 1

  bool operator==(const Choice&) const = default;
};

// Whether it can have happened, with so many riders.
bool MakesSense(const Choice& choice, int riders);

// Choices as bytes, and back; other bytes are an Error.
std::string PackChoices(std::span<const Choice> choices);
std::vector<Choice> ChoicesOf(std::string_view bytes);

// A set of types, by bits: bit l is set when type l, without noise, would have answered the same.
// An answer other than the refusal of no shift fits at least one type.
constexpr uint8_t FittingTypes(int action, bool accepted) {
  uint8_t types = 0;
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    if (Accepts(static_cast<Flexibility>(type), action) == accepted) types |= 1 << type;
  }
  return types;
}
inline constexpr uint8_t kAllTypes = (1 << kFlexibilityTypes) - 1;

// The newest `capacity` choices of riders 0 ... riders - 1. Its memory never grows.
class ChoiceBuffer {
 public:
  ChoiceBuffer(size_t capacity, int riders);

  // Takes the place of the oldest once the buffer is full.
  void Add(const Choice& choice);

  size_t size() const { return choices_.size(); }
  // In no particular order.
  std::span<const Choice> choices() const { return choices_; }

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  size_t capacity_;
  int riders_;
  std::vector<Choice> choices_;
  size_t oldest_ = 0;  // once full
};

}  // namespace dray
