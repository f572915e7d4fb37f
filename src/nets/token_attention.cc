#include "src/nets/token_attention.h"

#include <cmath>

#include "src/nets/head_rows.h"
#include "src/nets/kernels.h"

namespace dray {
namespace {

constexpr int64_t kLanes = 16;
int64_t Padded(int64_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

// Transposes the rows of a head to [head, padded count], with zeros in the padding.
const float* Turned(const float* from, int64_t stride, int64_t count, int64_t head,
                    std::vector<float>& to) {
  const int64_t padded = Padded(count);
  Zeros(to, head * padded);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t e = 0; e < head; ++e) to[e * padded + i] = from[i * stride + e];
  }
  return to.data();
}

}  // namespace

TokenAttention::TokenAttention(int64_t width, int64_t heads)
    : width_(width), heads_(heads), head_(width / heads), scale_(1 / std::sqrt(width / heads)) {}

void TokenAttention::SelfAttend(std::span<const int64_t> starts, const float* qkv,
                                std::vector<float>& weights, float* attended) {
  int64_t size = 0;
  for (size_t r = 0; r + 1 < starts.size(); ++r) {
    const int64_t count = starts[r + 1] - starts[r];
    size += heads_ * count * Padded(count);
  }
  float* w = Zeros(weights, size);
  for (size_t r = 0; r + 1 < starts.size(); ++r) {
    const int64_t count = starts[r + 1] - starts[r], padded = Padded(count), stride = 3 * width_;
    for (int64_t h = 0; h < heads_; ++h, w += count * padded) {
      const float* query = qkv + starts[r] * stride + h * head_;
      const float* keys = Turned(query + width_, stride, count, head_, turned_);
      AddProduct(count, padded, head_, {query, stride, 1}, keys, w);
      SoftmaxRows(count, count, padded, scale_, w);
      const float* values = GatherRows(query + 2 * width_, stride, count, head_, value_);
      float* got = Zeros(attended_, count * head_);
      AddProduct(count, head_, count, {w, padded, 1}, values, got);
      ScatterRows(got, count, head_, attended + starts[r] * width_ + h * head_, width_);
    }
  }
}

void TokenAttention::SelfAttendGradients(std::span<const int64_t> starts, const float* qkv,
                                         const std::vector<float>& weights,
                                         const float* by_attended, float* by_qkv) {
  const float* w = weights.data();
  for (size_t r = 0; r + 1 < starts.size(); ++r) {
    const int64_t count = starts[r + 1] - starts[r], padded = Padded(count), stride = 3 * width_;
    for (int64_t h = 0; h < heads_; ++h, w += count * padded) {
      const float* from = qkv + starts[r] * stride + h * head_;
      float* by_from = by_qkv + starts[r] * stride + h * head_;
      const float* query = GatherRows(from, stride, count, head_, query_);
      const float* key = GatherRows(from + width_, stride, count, head_, key_);
      const float* values = Turned(from + 2 * width_, stride, count, head_, turned_);
      const float* by_got = GatherRows(by_attended + starts[r] * width_ + h * head_, width_, count,
                                       head_, by_attended_);

      float* by_part = Zeros(by_part_, count * head_);  // with respect to the values
      AddProduct(count, head_, count, {w, 1, padded}, by_got, by_part);
      ScatterRows(by_part, count, head_, by_from + 2 * width_, stride);

      float* by_w = Zeros(by_weights_, count * padded);
      AddProduct(count, padded, head_, {by_got, head_, 1}, values, by_w);
      SoftmaxGradientRows(count, padded, scale_, w, by_w);

      by_part = Zeros(by_part_, count * head_);  // with respect to the queries
      AddProduct(count, head_, count, {by_w, padded, 1}, key, by_part);
      ScatterRows(by_part, count, head_, by_from, stride);
      by_part = Zeros(by_part_, count * head_);  // with respect to the keys
      AddProduct(count, head_, count, {by_w, 1, padded}, query, by_part);
      ScatterRows(by_part, count, head_, by_from + width_, stride);
    }
  }
}

void TokenAttention::Pool(std::span<const int64_t> starts, const float* asked, const float* x,
                          std::vector<float>& weights, float* mixed) {
  int64_t size = 0;
  for (size_t r = 0; r + 1 < starts.size(); ++r) size += heads_ * Padded(starts[r + 1] - starts[r]);
  float* w = Zeros(weights, size);
  std::fill_n(mixed, (std::ssize(starts) - 1) * heads_ * width_, 0.0f);
  for (size_t r = 0; r + 1 < starts.size(); ++r) {
    const int64_t count = starts[r + 1] - starts[r], padded = Padded(count);
    const float* row = x + starts[r] * width_;
    const float* query = asked + r * heads_ * width_;
    // [width, heads], so that the tokens need not be transposed.
    turned_.resize(heads_ * width_);
    Transpose(heads_, width_, query, turned_.data());
    float* scores = Zeros(attended_, count * heads_);
    AddProduct(count, heads_, width_, {row, width_, 1}, turned_.data(), scores);
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t h = 0; h < heads_; ++h) w[h * padded + i] = scores[i * heads_ + h];
    }
    SoftmaxRows(heads_, count, padded, scale_, w);
    AddProduct(heads_, width_, count, {w, padded, 1}, row, mixed + r * heads_ * width_);
    w += heads_ * padded;
  }
}

void TokenAttention::PoolGradients(std::span<const int64_t> starts, const float* asked,
                                   const float* x, const std::vector<float>& weights,
                                   const float* by_mixed, float* by_asked, float* by_x) {
  const float* w = weights.data();
  std::fill_n(by_asked, (std::ssize(starts) - 1) * heads_ * width_, 0.0f);
  for (size_t r = 0; r + 1 < starts.size(); ++r) {
    const int64_t count = starts[r + 1] - starts[r], padded = Padded(count);
    const int64_t at = r * heads_ * width_;
    const float* row = x + starts[r] * width_;
    float* by_row = by_x + starts[r] * width_;
    // Gradient of the tokens as values, ...
    AddProduct(count, width_, heads_, {w, 1, padded}, by_mixed + at, by_row);
    turned_.resize(heads_ * width_);
    Transpose(heads_, width_, by_mixed + at, turned_.data());
    float* by_scores = Zeros(attended_, count * heads_);
    AddProduct(count, heads_, width_, {row, width_, 1}, turned_.data(), by_scores);
    float* by_w = Zeros(by_weights_, heads_ * padded);
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t h = 0; h < heads_; ++h) by_w[h * padded + i] = by_scores[i * heads_ + h];
    }
    SoftmaxGradientRows(heads_, padded, scale_, w, by_w);
    // ... and as keys.
    AddProduct(count, width_, heads_, {by_w, 1, padded}, asked + at, by_row);
    AddProduct(heads_, width_, count, {by_w, padded, 1}, row, by_asked + at);
    w += heads_ * padded;
  }
}

}  // namespace dray
