#include "src/nets/best_actions.h"

#include <algorithm>
#include <vector>

#include "src/nets/sampling.h"

namespace dray {

void BestActions::Begin(int /*first*/, int count) {
  policy_.Resume(std::vector<std::vector<int16_t>>(count));
}

void BestActions::Act(const Observed& observed, const ActionSlots& actions) {
  const auto outputs = policy_.Follow(observed.observations, observed.bags);
  if (!actions_.discrete()) {
    std::ranges::copy(outputs, actions.values.begin());
    return;
  }
  const size_t width = actions_.outputs();
  for (size_t i = 0; i < actions.indices.size(); ++i) {
    const auto mask =
        observed.masks.empty() ? observed.masks : observed.masks.subspan(i * width, width);
    actions.indices[i] = BestAction(outputs.subspan(i * width, width), mask);
  }
}

}  // namespace dray
