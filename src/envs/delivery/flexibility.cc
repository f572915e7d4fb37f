#include "src/envs/delivery/flexibility.h"

#include <algorithm>

namespace dray::delivery {

TypeShares SharesOf(TypeSplit split) {
  TypeShares shares;
  shares.fill(1.0 / kFlexibilityTypes);
  if (split == SURVEYED) {
    std::ranges::transform(kSurveyed, shares.begin(),
                           [](double count) { return count / kSurveyedRiders; });
  }
  return shares;
}

Flexibility DrawType(TypeSplit split, Rng& rng) {
  if (split == UNIFORM) return DrawUniformType(rng);
  int left = rng.Below(kSurveyedRiders);
  size_t type = 0;
  while (left >= kSurveyed[type]) left -= kSurveyed[type++];
  return kEveryFlexibility[type];
}

Flexibility DrawUniformType(Rng& rng) { return kEveryFlexibility[rng.Below(kFlexibilityTypes)]; }

}  // namespace dray::delivery
