#pragma once

#include <cstdint>

namespace dray {

// Attention over the few requests of a problem, on plain memory. Rows of scores are padded to whole
// vectors, and the padding is masked.

inline constexpr int64_t kVector = 16;  // floats
constexpr int64_t PaddedColumns(int64_t columns) {
  return (columns + kVector - 1) / kVector * kVector;
}
// Added to the scores of masked positions.
inline constexpr float kMasked = -1e30f;

// Computes y = x / (root mean square of x) * gain, row by row; y may be x.
void NormRows(int64_t rows, int64_t dim, const float* x, const float* gain, float* y);

// Writes to [columns, padded rows] = scale * from [rows, columns], transposed; rows of `from` are
// `stride` apart. Fills the padding with zeros.
void TransposePadded(int64_t rows, int64_t columns, int64_t stride, float scale, const float* from,
                     float* to);

// Keys and values of n requests, for several heads.
struct HeadsView {
  int64_t n = 0;
  int64_t heads = 0;
  int64_t head_dim = 0;
  const float* keys = nullptr;    // [heads * head_dim, padded n]: transposed and scaled
  const float* values = nullptr;  // [n, heads * head_dim], rows `value_stride` apart
  int64_t value_stride = 0;
  const float* mask = nullptr;  // [padded n]: 0 or kMasked
};

// Computes the attention of one query [heads * head_dim] over the requests. For each head, out
// [heads * head_dim] is the mean of the values, weighted by the softmax of query . key + bias. The
// biases of head h begin at biases + h * bias_stride and are readable up to the padding; null:
// none. `scores` is scratch space for padded n.
void AttendOne(const HeadsView& view, const float* query, const float* biases, int64_t bias_stride,
               float* scores, float* out);

// Computes the attention of all n requests' own queries, `query_stride` apart: out [n, heads *
// head_dim], bias planes [heads, n, n]. `scores` is scratch space for 4 rows of padded n.
void AttendAll(const HeadsView& view, const float* queries, int64_t query_stride,
               const float* biases, float* scores, float* out);

// Computes scores [padded n] = query [dim] . keys [dim, padded n] + first + second + mask; null:
// none.
void ScoreAll(int64_t n, int64_t dim, const float* query, const float* keys, const float* first,
              const float* second, const float* mask, float* scores);

// Returns the index of the first largest score.
int64_t Largest(int64_t n, const float* scores);

// Computes to += from.
void Add(int64_t n, const float* from, float* to);

}  // namespace dray
