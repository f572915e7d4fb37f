#include "src/rollout/bag_lists.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "src/base/error.h"

namespace dray {

BagLists ListBags(const BatchShape& shape, std::span<const int16_t> bags,
                  std::vector<std::vector<int16_t>> joined, std::span<const uint8_t> ended) {
  BagLists lists{.offsets = {0}, .indices = {}};
  if (shape.bag.width == 0) return lists;
  const size_t n = shape.envs, width = shape.bag.indices();
  const size_t own = shape.bag.own;
  lists.offsets.reserve(bags.size() / width + 1);
  const auto append = [](std::span<const int16_t> indices, auto& to) {
    std::ranges::copy_if(indices, std::back_inserter(to), [](int16_t i) { return i >= 0; });
  };
  for (size_t row = 0; row < bags.size() / width; ++row) {
    std::vector<int16_t>& so_far = joined[row % n];
    if (row >= n && ended[row - n]) so_far.clear();
    const auto bag = bags.subspan(row * width, width);
    append(bag.subspan(own), so_far);
    append(so_far, lists.indices);
    append(bag.first(own), lists.indices);
    if (std::ssize(lists.indices) > std::numeric_limits<int32_t>::max()) {
      throw Failure("the bags of ", n,
                    " environments have more than 2^31 indices in one update: use "
                    "fewer environments (--num-envs) or shorter rollouts (train.rollout_steps)");
    }
    lists.offsets.push_back(lists.indices.size());
  }
  return lists;
}

}  // namespace dray
