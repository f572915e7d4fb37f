#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "src/base/bytes.h"
#include "src/env/env.h"

namespace dray {

// Sizes of a rollout: T steps of N environments.
struct BatchShape {
  int32_t steps = 0;
  int32_t envs = 0;
  int32_t observation_size = 0;
  int32_t action_values = 0;  // continuous: values per action; discrete: 0
  int32_t mask_size = 0;      // actions with a mask; 0 when there are no masks
  int32_t appraised = 0;      // actions that are appraised; 0 when none are
  BagSpec bag;

  static BatchShape Of(const EnvSpec& spec, int steps, int envs);
  int64_t samples() const { return int64_t{steps} * envs; }
  bool operator==(const BatchShape& other) const;
};

// The shard and the policy that a rollout comes from.
struct BatchOrigin {
  int64_t policy_version = 0;
  int32_t shard = 0;
  int32_t first_env = 0;  // index of the shard's first environment in the whole run
};

// Columns of a rollout, in the memory of a batch.
template <template <typename> typename Span>
struct BatchColumns {
  Span<float> observations;  // [T + 1, N, observation_size]; row T is where the next rollout starts
  Span<int16_t> bags;        // [T + 1, N, bag.indices()]
  Span<uint8_t> masks;       // [T + 1, N, mask_size]
  Span<int32_t> action_indices;  // [T, N], discrete
  Span<float>
      action_values;       // [T, N, action_values], continuous, as drawn (not clipped to the box)
  Span<float> appraisals;  // [T, N, appraised], in units of reward
  Span<float> log_probs;   // [T, N] of the action under the policy that drew it
  Span<float> rewards;     // [T, N]
  Span<float> discounted_returns;  // [T, N] running discounted reward since the episode's start
  Span<uint8_t> terminated;        // [T, N]
  Span<uint8_t> truncated;         // [T, N]
};

template <typename T>
using MutableSpan = std::span<T>;
template <typename T>
using ConstSpan = std::span<const T>;

// Last observation of an episode that was cut at sample `step * N + env`. Its value stands in for
// the rewards that would have followed.
struct CutEpisode {
  int64_t sample = 0;
  std::vector<float> final_observation;
};

// Indices that joined an environment's bag before the rollout, which begins in mid-episode.
struct JoinedBefore {
  int32_t env = 0;
  std::vector<int16_t> indices;
};

// Writes a rollout as one contiguous block: a header, the columns, then data without a fixed size.
// The collector writes into it, the object store moves it, the learner reads it in place.
class BatchWriter {
 public:
  // Writes into `out`, or into a block of its own.
  explicit BatchWriter(const BatchShape& shape, ByteSink* out = nullptr);

  const BatchShape& shape() const { return shape_; }
  BatchColumns<MutableSpan>& columns() { return columns_; }
  void AddCutEpisode(int64_t sample, std::span<const float> final_observation);
  void AddJoinedBefore(int env, std::span<const int16_t> indices);

  // Completes the batch; the writer must not be used any more. Returns the block, or null if the
  // batch was written into `out`.
  SharedBlob Finish(const BatchOrigin& origin);

 private:
  BatchShape shape_;
  std::unique_ptr<Blob> blob_;  // null if written elsewhere
  ByteSink* out_;
  BatchColumns<MutableSpan> columns_;
  std::vector<CutEpisode> cuts_;
  std::vector<JoinedBefore> joined_before_;
};

// Reads a batch in place.
class BatchReader {
 public:
  // Throws an Error unless the bytes are a whole batch. Uses at most six times their size of
  // memory.
  explicit BatchReader(std::string_view bytes);

  // Throws an Error if the batch has other sizes than this environment, actions that it does not
  // have or its masks forbid, or longer episodes. The learner uses indices of the batch unchecked.
  void ExpectOf(const EnvSpec& spec) const;

  const BatchShape& shape() const { return shape_; }
  const BatchOrigin& origin() const { return origin_; }
  const BatchColumns<ConstSpan>& columns() const { return columns_; }
  const std::vector<CutEpisode>& cuts() const { return cuts_; }
  // Returns them in no particular order; environments that began an episode have none.
  const std::vector<JoinedBefore>& joined_before() const { return joined_before_; }

 private:
  void ExpectActionsOf(const EnvSpec& spec) const;
  void ExpectEpisodesOf(const EnvSpec& spec) const;

  BatchShape shape_;
  BatchOrigin origin_;
  BatchColumns<ConstSpan> columns_;
  std::vector<CutEpisode> cuts_;
  std::vector<JoinedBefore> joined_before_;
};

// Returns the size in bytes of a batch of this shape, without data that has no fixed size.
size_t BatchBytes(const BatchShape& shape);

}  // namespace dray
