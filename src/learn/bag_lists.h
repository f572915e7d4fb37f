#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/rollout/batch.h"

namespace dray {

// What the bag of every state of a rollout holds, written out once: state i has
// indices[offsets[i]] ... indices[offsets[i + 1] - 1], what has joined first and its own last.
struct BagLists {
  std::vector<int32_t> offsets;  // [(T + 1) N + 1]; [0] where the task has no bag
  std::vector<int32_t> indices;
};

// From `bags` [T + 1, N, bag.indices()], what had joined each environment's bag before the first
// step [N], and whether an episode ended with a step [T, N].
BagLists ListBags(const BatchShape& shape, std::span<const int16_t> bags,
                  std::vector<std::vector<int16_t>> joined, std::span<const uint8_t> ended);

}  // namespace dray
