#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "src/learn/bag_lists.h"
#include "src/nets/net_input.h"
#include "src/rollout/batch.h"

namespace dray {

// Several rollouts of T steps put side by side into one of T steps and N environments, so that
// an update sees the same numbers in the same order however the environments were sharded.
class MergedRollout {
 public:
  // All batches have the same steps and kinds of columns; anything else is an Error.
  explicit MergedRollout(const std::vector<BatchReader>& batches);

  int steps() const { return shape_.steps; }
  int envs() const { return shape_.envs; }
  const BatchShape& shape() const { return shape_; }

  std::vector<float> observations;  // [T + 1, N, observation_size], raw
  BagLists bags;                    // of the same states
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

// What an update trains on, one row per sample, on the learner's device.
struct Samples {
  at::Tensor observations;  // [rows, observation_size], normalised
  Bags bags;                // undefined when the task has none
  at::Tensor masks;         // [rows, actions] bool; undefined without masks
  at::Tensor actions;       // int64 [rows], or float [rows, values]
  at::Tensor appraisals;    // [rows, actions]; undefined when actions are not appraised
  at::Tensor log_probs;     // [rows], of the policy that acted
  at::Tensor values;        // [rows], of the critic before the update
  at::Tensor advantages;    // [rows]
  at::Tensor returns;       // [rows]

  int64_t rows() const { return log_probs.size(0); }
  NetInput input() const { return {observations, bags}; }
  Samples Rows(const at::Tensor& order) const;
  Samples Slice(int64_t start, int64_t length) const;
};

}  // namespace dray
