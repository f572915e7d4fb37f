#include "src/rollout/merged_rollout.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "src/base/error.h"

namespace dray {
namespace {

// Puts the [rows, N_b, width] columns of all batches side by side into [rows, N, width].
template <typename Out, typename Column>
void Merge(const std::vector<BatchReader>& batches, int rows, int envs, int width, Column column,
           ThreadTeam& team, std::vector<Out>& merged) {
  merged.resize(size_t{1} * rows * envs * width);
  team.ForRanges(rows, merged.size(), [&](size_t first, size_t end) {
    size_t offset = 0;
    for (const BatchReader& batch : batches) {
      const auto from = column(batch.columns());
      const size_t run = size_t{1} * batch.shape().envs * width;
      for (size_t row = first; row < end && run > 0; ++row) {
        std::copy_n(from.data() + row * run, run,
                    merged.data() + size_t{1} * row * envs * width + offset);
      }
      offset += run;
    }
  });
}

}  // namespace

void MergedRollout::Assign(const std::vector<BatchReader>& batches, ThreadTeam& team) {
  DRAY_CHECK(!batches.empty());
  shape_ = batches[0].shape();
  shape_.envs = 0;
  for (const BatchReader& batch : batches) {
    BatchShape other = batch.shape();
    const int envs = std::exchange(other.envs, shape_.envs);
    if (other != shape_) {
      throw Failure("rollouts of different shapes cannot be learned from together (", other.steps,
                    " and ", shape_.steps, " steps): all shards must run the same config");
    }
    shape_.envs += envs;
  }
  const int t = shape_.steps, n = shape_.envs;
  const auto merge = [&]<typename Out>(std::vector<Out>& out, int rows, int width, auto column) {
    Merge(batches, rows, n, width, column, team, out);
  };
  merge(observations, t + 1, shape_.observation_size, [](const auto& c) { return c.observations; });
  merge(masks, t, shape_.mask_size, [](const auto& c) { return c.masks; });
  merge(action_indices, t, shape_.action_values == 0 ? 1 : 0,
        [](const auto& c) { return c.action_indices; });
  merge(action_values, t, shape_.action_values, [](const auto& c) { return c.action_values; });
  merge(appraisals, t, shape_.appraised, [](const auto& c) { return c.appraisals; });
  merge(log_probs, t, 1, [](const auto& c) { return c.log_probs; });
  merge(rewards, t, 1, [](const auto& c) { return c.rewards; });
  merge(discounted_returns, t, 1, [](const auto& c) { return c.discounted_returns; });
  merge(terminated, t, 1, [](const auto& c) { return c.terminated; });
  merge(truncated, t, 1, [](const auto& c) { return c.truncated; });
  cuts.clear();
  std::vector<std::vector<int16_t>> joined(n);
  int64_t first = 0;
  for (const BatchReader& batch : batches) {
    const int64_t envs = batch.shape().envs;
    for (const JoinedBefore& before : batch.joined_before()) {
      joined[first + before.env] = before.indices;
    }
    for (CutEpisode cut : batch.cuts()) {
      cut.sample = cut.sample / envs * n + first + cut.sample % envs;
      cuts.push_back(std::move(cut));
    }
    first += envs;
  }
  std::vector<uint8_t> ended(terminated.size());
  std::ranges::transform(terminated, truncated, ended.begin(), std::logical_or<>());
  std::vector<int16_t> indices;
  merge(indices, t + 1, shape_.bag.indices(), [](const auto& c) { return c.bags; });
  bags = ListBags(shape_, std::move(indices), std::move(joined), ended);
}

}  // namespace dray
