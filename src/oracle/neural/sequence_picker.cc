#include "src/oracle/neural/sequence_picker.h"

#include <cmath>

#include "src/base/error.h"
#include "src/base/rng.h"

namespace dray {

void WriteSequenceNoise(int start, int pick, std::span<float> noise) {
  constexpr uint64_t kMostPicks = 1 << 20;
  DRAY_CHECK_LT(static_cast<uint64_t>(pick), kMostPicks);
  Rng rng(0, RngPurpose::kOrders, start * kMostPicks + pick);
  for (float& value : noise) {
    const double uniform = (rng.Next32() + 0.5) * 0x1.0p-32;
    value = -std::log(-std::log(uniform));
  }
}

}  // namespace dray
