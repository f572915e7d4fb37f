#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "src/envs/dvrptw/riders.h"

namespace dray::dvrptw {

// An action proposes an earlier pickup, a later dropoff, or both.
inline constexpr int kShiftActions = 16;
inline constexpr int kNoShift = 12;

struct Shift {
  int pickup_min = 0;   // <= 0: earlier
  int dropoff_min = 0;  // >= 0: later

  int total_min() const { return dropoff_min - pickup_min; }
};

// action = 4 i + j: pickup by (-30, -20, -10, 0)[i], dropoff by (0, 10, 20, 30)[j].
constexpr Shift ShiftOf(int action) {
  return {.pickup_min = 10 * (action / 4) - 30, .dropoff_min = 10 * (action % 4)};
}

// Returns the trip with both ends of its windows shifted.
Trip Shifted(const Trip& trip, int action);

// Returns whether a rider of this type agrees.
constexpr bool Accepts(Flexibility type, int action) {
  const Shift shift = ShiftOf(action);
  const bool early = shift.pickup_min != 0, late = shift.dropoff_min != 0;
  switch (type) {
    case Flexibility::kLateDropoff:
      return !early;
    case Flexibility::kEarlyPickup:
      return !late;
    case Flexibility::kNone:
      return !early && !late;
    case Flexibility::kBoth:
      return true;
  }
  return false;
}

// Returns whether a rider agrees; by default the answer follows from the type.
using AcceptanceRule = std::function<bool(const Rider&, const Trip&, int action)>;
bool AcceptByType(const Rider& rider, const Trip& trip, int action);

// Returns the rule's answer, or its opposite if the rider is contrary. No shift is always accepted.
bool Answer(const AcceptanceRule& accept, const Rider& rider, const Trip& trip, int action,
            bool contrary);

// Returns what an accepted shift costs in reward, in minutes.
inline double PatiencePenalty(int action, double weight_per_min) {
  return weight_per_min * ShiftOf(action).total_min();
}

using ActionMask = std::array<uint8_t, kShiftActions>;
// Returns a mask with 1 for the actions that a rider of this type accepts.
const ActionMask& MaskOf(Flexibility type);
// Writes the masks of all types: [types.size(), 16].
void WriteMasks(std::span<const Flexibility> types, std::span<uint8_t> masks);

// Returns the allowed action that shifts most, or no shift if none is allowed.
int LargestShift(std::span<const uint8_t> mask);

// Leaves one of the allowed actions, chosen by `draw` in [0, 1): the exploration of the original.
void KeepOneAction(double draw, std::span<uint8_t> mask);

}  // namespace dray::dvrptw
