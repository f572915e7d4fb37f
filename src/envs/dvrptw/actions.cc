#include "src/envs/dvrptw/actions.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

constexpr auto kMasks = [] {
  std::array<ActionMask, kFlexibilityTypes> masks{};
  for (const Flexibility type : delivery::kEveryFlexibility) {
    for (int action = 0; action < kShiftActions; ++action) {
      masks[Index(type)][action] = Accepts(type, action);
    }
  }
  return masks;
}();

}  // namespace

Trip Shifted(const Trip& trip, int action) {
  const Shift shift = ShiftOf(action);
  Trip shifted = trip;
  shifted.pickup_early += shift.pickup_min * kTicksPerMinute;
  shifted.pickup_late += shift.pickup_min * kTicksPerMinute;
  shifted.dropoff_early += shift.dropoff_min * kTicksPerMinute;
  shifted.dropoff_late += shift.dropoff_min * kTicksPerMinute;
  return shifted;
}

bool AcceptByType(const Rider& rider, const Trip& /*trip*/, int action) {
  return Accepts(rider.type, action);
}

bool Answer(const AcceptanceRule& accept, const Rider& rider, const Trip& trip, int action,
            bool contrary) {
  DRAY_CHECK(action >= 0 && action < kShiftActions);
  return action == kNoShift || accept(rider, trip, action) != contrary;
}

const ActionMask& MaskOf(Flexibility type) { return kMasks[Index(type)]; }

void WriteMasks(std::span<const Flexibility> types, std::span<uint8_t> masks) {
  DRAY_CHECK_EQ(masks.size(), types.size() * kShiftActions);
  uint8_t* row = masks.data();
  for (const Flexibility type : types) row = std::ranges::copy(MaskOf(type), row).out;
}

int LargestShift(std::span<const uint8_t> mask) {
  int best = kNoShift;
  for (int action = 0; action < kShiftActions; ++action) {
    if (mask[action] != 0 && ShiftOf(action).total_min() > ShiftOf(best).total_min()) best = action;
  }
  return best;
}

void KeepOneAction(double draw, std::span<uint8_t> mask) {
  const auto allowed = std::ranges::count(mask, uint8_t{1});
  DRAY_CHECK_GT(allowed, 0);
  int64_t skip = std::min<int64_t>(draw * allowed, allowed - 1);
  for (uint8_t& action : mask) {
    if (action == 1 && skip-- != 0) action = 0;
  }
}

}  // namespace dray::dvrptw
