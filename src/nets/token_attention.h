#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dray {

// Attention within the rows of a batch, on plain memory. Row r has tokens starts[r] ... starts[r +
// 1] - 1 of those that stand one after the other. What it weighed is kept by the caller, in rows
// padded to whole vectors.
class TokenAttention {
 public:
  TokenAttention(int64_t width, int64_t heads);

  // Self-attention: each token asks the tokens of its row. qkv [present, 3 width] are queries, keys
  // and values; attended [present, width] is what they get.
  void SelfAttend(std::span<const int64_t> starts, const float* qkv, std::vector<float>& weights,
                  float* attended);
  void SelfAttendGradients(std::span<const int64_t> starts, const float* qkv,
                           const std::vector<float>& weights, const float* by_attended,
                           float* by_qkv);

  // Attention pooling: each row asks its tokens x [present, width] once per head. asked [rows,
  // heads, width], mixed likewise.
  void Pool(std::span<const int64_t> starts, const float* asked, const float* x,
            std::vector<float>& weights, float* mixed);
  // Writes by_asked; adds to by_x.
  void PoolGradients(std::span<const int64_t> starts, const float* asked, const float* x,
                     const std::vector<float>& weights, const float* by_mixed, float* by_asked,
                     float* by_x);

 private:
  int64_t width_;
  int64_t heads_;
  int64_t head_;  // width of one
  float scale_;
  // One head of one row at a time.
  std::vector<float> query_, key_, value_, turned_, attended_, by_attended_, by_weights_, by_part_;
};

}  // namespace dray
