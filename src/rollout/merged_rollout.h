#pragma once

#include <cstdint>
#include <vector>

#include "src/base/thread_team.h"
#include "src/rollout/bag_lists.h"
#include "src/rollout/batch.h"

namespace dray {

// Several rollouts of T steps, put side by side into one of T steps and N environments, so that an
// update sees the same numbers in the same order however the environments were sharded.
class MergedRollout {
 public:
  // Takes the place of what was merged before, in the same memory where it fits. Throws an Error
  // unless all batches have the same steps and kinds of columns.
  void Assign(const std::vector<BatchReader>& batches, ThreadTeam& team);

  int steps() const { return shape_.steps; }
  int envs() const { return shape_.envs; }
  const BatchShape& shape() const { return shape_; }

  std::vector<float> observations;  // [T + 1, N, observation_size], raw
  BagLists bags;                    // one list per observation
  std::vector<uint8_t> masks;       // [T, N, mask_size]
  std::vector<int64_t> action_indices;
  std::vector<float> action_values;
  std::vector<float> appraisals;  // [T, N, appraised]
  std::vector<float> log_probs;
  std::vector<float> rewards;
  std::vector<float> discounted_returns;
  std::vector<uint8_t> terminated;
  std::vector<uint8_t> truncated;
  std::vector<CutEpisode> cuts;  // samples counted in the merged rollout

 private:
  BatchShape shape_;
};

}  // namespace dray
