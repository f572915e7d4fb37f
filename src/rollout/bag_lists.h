#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/rollout/batch.h"

namespace dray {

// Contents of the bag of every state of a rollout. State i has indices[offsets[i]] ...
// indices[offsets[i + 1] - 1]: first those that joined, then its own.
struct BagLists {
  std::vector<int32_t> offsets;  // [(T + 1) N + 1]; [0] if the task has no bag
  std::vector<int32_t> indices;
};

// Lists the bags of a rollout. `bags` is [T + 1, N, bag.indices()]; `joined` [N] are the indices
// that joined each environment's bag before the first step; `ended` [T, N] tells whether an episode
// ended with a step.
BagLists ListBags(const BatchShape& shape, std::span<const int16_t> bags,
                  std::vector<std::vector<int16_t>> joined, std::span<const uint8_t> ended);

}  // namespace dray
