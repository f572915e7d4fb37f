#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "src/envs/dvrptw/riders.h"

namespace dray {

// Negotiate: an action proposes an earlier pickup, a later dropoff, or both.
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

// A shift moves both ends of a window.
Trip Shifted(const Trip& trip, int action);

// Whether a rider of this type agrees.
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

// How riders answer, for those who know better than the four types.
using AcceptanceRule = std::function<bool(const Rider&, const Trip&, int action)>;
bool AcceptByType(const Rider& rider, const Trip& trip, int action);

// The rule's answer, or its opposite when the rider is contrary. No shift is always accepted.
bool Answer(const AcceptanceRule& accept, const Rider& rider, const Trip& trip, int action,
            bool contrary);

// What an accepted shift takes from the reward, in minutes.
inline double PatiencePenalty(int action, double weight_per_min) {
  return weight_per_min * ShiftOf(action).total_min();
}

using ActionMask = std::array<uint8_t, kShiftActions>;
// 1 for the actions a rider of this type accepts.
const ActionMask& MaskOf(Flexibility type);
// [types.size()] -> [types.size(), 16], in one go.
void WriteMasks(std::span<const Flexibility> types, std::span<uint8_t> masks);

// The allowed action that shifts most; no shift when none is allowed.
int LargestShift(std::span<const uint8_t> mask);

// The legacy exploration: leaves one of the allowed actions, uniformly chosen by draw in [0, 1).
void KeepOneAction(double draw, std::span<uint8_t> mask);

}  // namespace dray
