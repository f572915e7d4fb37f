#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/actions.h"

namespace dray::dvrptw {

// A rider's answer to a proposed shift.
struct Choice {
  int32_t rider = 0;
  int16_t action = 0;
  int16_t accepted = 0;  // 0 or 1

  bool operator==(const Choice&) const = default;
};

// Returns whether a choice is valid with this number of riders.
bool MakesSense(const Choice& choice, int riders);

// Converts choices to bytes and back. ChoicesOf throws an Error for other bytes.
std::string PackChoices(std::span<const Choice> choices);
std::vector<Choice> ChoicesOf(std::string_view bytes);

// Returns the types that would give this answer without noise, as bits. Every answer other than a
// refusal of no shift fits at least one type.
constexpr uint8_t FittingTypes(int action, bool accepted) {
  uint8_t types = 0;
  for (const Flexibility type : delivery::kEveryFlexibility) {
    if (Accepts(type, action) == accepted) types |= 1 << Index(type);
  }
  return types;
}
inline constexpr uint8_t kAllTypes = (1 << kFlexibilityTypes) - 1;

// Keeps the newest `capacity` choices of riders 0 to riders - 1.
class ChoiceBuffer {
 public:
  ChoiceBuffer(size_t capacity, int riders);

  // Adds a choice, replacing the oldest once the buffer is full.
  void Add(const Choice& choice);

  size_t size() const { return choices_.size(); }
  // Choices in no particular order.
  std::span<const Choice> choices() const { return choices_; }

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  size_t capacity_;
  int riders_;
  std::vector<Choice> choices_;
  size_t oldest_ = 0;  // once full
};

}  // namespace dray::dvrptw
