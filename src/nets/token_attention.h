#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dray {

// Attention within the rows of a batch, on plain memory. Row r has the tokens starts[r] ...
// starts[r + 1] - 1. The caller keeps the attention weights, in rows padded to whole vectors.
class TokenAttention {
 public:
  TokenAttention(int64_t width, int64_t heads);

  // Self-attention: each token attends to the tokens of its row. qkv [present, 3 width] holds
  // queries, keys and values; the result is attended [present, width].
  void SelfAttend(std::span<const int64_t> starts, const float* qkv, std::vector<float>& weights,
                  float* attended);
  void SelfAttendGradients(std::span<const int64_t> starts, const float* qkv,
                           const std::vector<float>& weights, const float* by_attended,
                           float* by_qkv);

  // Attention pooling: each row attends to its tokens x [present, width] once per head. asked and
  // mixed are [rows, heads, width].
  void Pool(std::span<const int64_t> starts, const float* asked, const float* x,
            std::vector<float>& weights, float* mixed);
  // Writes by_asked; adds to by_x.
  void PoolGradients(std::span<const int64_t> starts, const float* asked, const float* x,
                     const std::vector<float>& weights, const float* by_mixed, float* by_asked,
                     float* by_x);

 private:
  int64_t width_;
  int64_t heads_;
  int64_t head_;  // width of one head
  float scale_;
  // Scratch memory for one head of one row.
  std::vector<float> query_, key_, value_, turned_, attended_, by_attended_, by_weights_, by_part_;
};

}  // namespace dray
