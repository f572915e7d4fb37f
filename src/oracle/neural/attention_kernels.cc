#include "src/oracle/neural/attention_kernels.h"

#include <algorithm>
#include <cmath>

#include "src/nets/lanes.h"
#include "src/oracle/neural/sequence_net_shape.h"

namespace dray {
namespace {

static_assert(kVector == kLanes);
constexpr int kQueries = 4;  // at a time: each key is loaded once for all of them

DRAY_INLINE float HighestLane(const Lanes& lanes) {
  float highest = lanes[0];
  for (int i = 1; i < kLanes; ++i) highest = lanes[i] > highest ? lanes[i] : highest;
  return highest;
}

// Adds in a fixed tree, so that the result is the same everywhere.
DRAY_INLINE float SumOfLanes(const Lanes& lanes) {
  float sums[kLanes];
  Store(lanes, sums);
  for (int64_t width = kLanes / 2; width > 0; width /= 2) {
    for (int64_t i = 0; i < width; ++i) sums[i] += sums[i + width];
  }
  return sums[0];
}

// e to the power of x <= 0, within 2e-7 of it: a power of two times a polynomial on [-ln 2 / 2, ln
// 2 / 2]. Returns 0 below -60, which is negligible next to 1: denormal numbers are a hundred times
// slower. src/nets/vector_kernels.cc has another version that rounds differently; sharing one would
// change the last bit of the oracle's or the networks' results.
DRAY_INLINE Lanes Exp(Lanes x) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to whole numbers
  constexpr float kNothing = -60.0f;
  const Lanes kept = x < kNothing ? Lanes{} : x;
  const Lanes shifted = kept * 1.44269504f + kRound;
  const Lanes whole = shifted - kRound;
  const Lanes r = kept - whole * 0.693145752f - whole * 1.42860677e-6f;
  const Lanes p =
      1.0f +
      r * (1.0f + r * (0.5f + r * (0.166666672f + r * (0.0416664853f + r * (0.00833336077f +
                                                                            r * 0.00139304355f)))));
  const Lanes power =
      (Lanes)((IntLanes)p + (((IntLanes)shifted - (IntLanes)(Lanes{} + kRound)) << 23));
  return x < kNothing ? Lanes{} : power;
}

// Turns a row of scores into weights that sum to 1.
DRAY_INLINE void Softmax(int64_t padded, float* scores) {
  Lanes highest = Load(scores);
  for (int64_t j = kLanes; j < padded; j += kLanes) {
    const Lanes next = Load(scores + j);
    highest = next > highest ? next : highest;
  }
  const float top = HighestLane(highest);
  Lanes sums{};
  for (int64_t j = 0; j < padded; j += kLanes) {
    const Lanes weights = Exp(Load(scores + j) - top);
    Store(weights, scores + j);
    sums += weights;
  }
  const float share = 1.0f / SumOfLanes(sums);
  for (int64_t j = 0; j < padded; j += kLanes) Store(Load(scores + j) * share, scores + j);
}

// Computes out [head_dim] = weights [n] times values [n, head_dim].
DRAY_INLINE void WeighValues(const HeadsView& view, const float* weights, const float* values,
                             float* out) {
  int64_t d = 0;
  for (; d + kLanes <= view.head_dim; d += kLanes) {
    Lanes even{}, odd{};
    int64_t j = 0;
    for (; j + 2 <= view.n; j += 2) {
      even += weights[j] * Load(values + j * view.value_stride + d);
      odd += weights[j + 1] * Load(values + (j + 1) * view.value_stride + d);
    }
    if (j < view.n) even += weights[j] * Load(values + j * view.value_stride + d);
    Store(even + odd, out + d);
  }
  for (; d < view.head_dim; ++d) {
    float sum = 0;
    for (int64_t j = 0; j < view.n; ++j) sum += weights[j] * values[j * view.value_stride + d];
    out[d] = sum;
  }
}

}  // namespace

DRAY_EVERY_CPU
void NormRows(int64_t rows, int64_t dim, const float* x, const float* gain, float* y) {
  for (int64_t row = 0; row < rows; ++row, x += dim, y += dim) {
    float square = 0;
    int64_t d = 0;
    Lanes squares{};
    for (; d + kLanes <= dim; d += kLanes) {
      const Lanes values = Load(x + d);
      squares += values * values;
    }
    for (; d < dim; ++d) square += x[d] * x[d];
    square += SumOfLanes(squares);
    const float scale = 1.0f / std::sqrt(square / dim + kNormEpsilon);
    for (d = 0; d < dim; ++d) y[d] = x[d] * scale * gain[d];
  }
}

DRAY_EVERY_CPU
void TransposePadded(int64_t rows, int64_t columns, int64_t stride, float scale, const float* from,
                     float* to) {
  const int64_t padded = PaddedColumns(rows);
  for (int64_t j = 0; j < columns; ++j, to += padded) {
    for (int64_t i = 0; i < rows; ++i) to[i] = scale * from[i * stride + j];
    for (int64_t i = rows; i < padded; ++i) to[i] = 0;
  }
}

DRAY_EVERY_CPU
void AttendOne(const HeadsView& view, const float* query, const float* biases, int64_t bias_stride,
               float* scores, float* out) {
  const int64_t padded = PaddedColumns(view.n);
  for (int64_t head = 0; head < view.heads; ++head) {
    const float* q = query + head * view.head_dim;
    const float* keys = view.keys + head * view.head_dim * padded;
    for (int64_t j = 0; j < padded; j += kLanes) {
      Lanes even = Load(view.mask + j), odd{};
      if (biases != nullptr) odd = Load(biases + head * bias_stride + j);
      int64_t d = 0;
      for (; d + 2 <= view.head_dim; d += 2) {
        even += q[d] * Load(keys + d * padded + j);
        odd += q[d + 1] * Load(keys + (d + 1) * padded + j);
      }
      if (d < view.head_dim) even += q[d] * Load(keys + d * padded + j);
      Store(even + odd, scores + j);
    }
    Softmax(padded, scores);
    WeighValues(view, scores, view.values + head * view.head_dim, out + head * view.head_dim);
  }
}

DRAY_EVERY_CPU
void AttendAll(const HeadsView& view, const float* queries, int64_t query_stride,
               const float* biases, float* scores, float* out) {
  const int64_t padded = PaddedColumns(view.n);
  const int64_t dim = view.heads * view.head_dim;
  for (int64_t head = 0; head < view.heads; ++head) {
    const float* keys = view.keys + head * view.head_dim * padded;
    const float* planes = biases + head * view.n * view.n;
    for (int64_t i = 0; i < view.n; i += kQueries) {
      // Rows beyond the last query repeat it.
      int64_t row[kQueries];
      for (int64_t r = 0; r < kQueries; ++r) row[r] = std::min(i + r, view.n - 1);
      const float* q[kQueries];
      for (int r = 0; r < kQueries; ++r)
        q[r] = queries + row[r] * query_stride + head * view.head_dim;
      for (int64_t j = 0; j < padded; j += kLanes) {
        Lanes sums[kQueries];
        for (int r = 0; r < kQueries; ++r)
          sums[r] = Load(planes + row[r] * view.n + j) + Load(view.mask + j);
        for (int64_t d = 0; d < view.head_dim; ++d) {
          const Lanes key = Load(keys + d * padded + j);
          for (int r = 0; r < kQueries; ++r) sums[r] += q[r][d] * key;
        }
        for (int r = 0; r < kQueries; ++r) Store(sums[r], scores + r * padded + j);
      }
      for (int r = 0; r < kQueries; ++r) {
        Softmax(padded, scores + r * padded);
        WeighValues(view, scores + r * padded, view.values + head * view.head_dim,
                    out + row[r] * dim + head * view.head_dim);
      }
    }
  }
}

DRAY_EVERY_CPU
void ScoreAll(int64_t n, int64_t dim, const float* query, const float* keys, const float* first,
              const float* second, const float* mask, float* scores) {
  const int64_t padded = PaddedColumns(n);
  for (int64_t j = 0; j < padded; j += kLanes) {
    Lanes sums[4] = {Load(mask + j)};
    if (first != nullptr) sums[1] = Load(first + j);
    if (second != nullptr) sums[2] = Load(second + j);
    int64_t d = 0;
    for (; d + 4 <= dim; d += 4) {
      for (int64_t r = 0; r < 4; ++r) sums[r] += query[d + r] * Load(keys + (d + r) * padded + j);
    }
    for (; d < dim; ++d) sums[0] += query[d] * Load(keys + d * padded + j);
    Store((sums[0] + sums[1]) + (sums[2] + sums[3]), scores + j);
  }
}

int64_t Largest(int64_t n, const float* scores) {
  return std::max_element(scores, scores + n) - scores;
}

DRAY_EVERY_CPU
void Add(int64_t n, const float* from, float* to) {
  for (int64_t i = 0; i < n; ++i) to[i] += from[i];
}

}  // namespace dray
