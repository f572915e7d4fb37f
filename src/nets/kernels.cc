#include "src/nets/kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

// One compiled version of a function per instruction set. Sanitizers cannot start with such
// functions.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define DRAY_EVERY_CPU __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DRAY_EVERY_CPU
#endif
#define DRAY_INLINE inline __attribute__((always_inline))

namespace dray {
namespace {

constexpr int64_t kLanes = 16;
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));

// Memory need not be aligned.
DRAY_INLINE Lanes Load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

DRAY_INLINE void Store(const Lanes& lanes, float* to) { std::memcpy(to, &lanes, sizeof(lanes)); }

// A tile of `Rows` x 16 elements of c stays in registers while k runs. Of b's columns only the
// first `columns` are stored.
template <int Rows>
DRAY_INLINE void AddTile(int64_t k, MatrixView a, const float* b, int64_t b_row, float* c,
                         int64_t c_row, int64_t columns) {
  Lanes sums[Rows] = {};
  for (int64_t i = 0; i < k; ++i) {
    const Lanes right = Load(b + i * b_row);
    for (int r = 0; r < Rows; ++r) sums[r] += a.data[r * a.row + i * a.column] * right;
  }
  for (int r = 0; r < Rows; ++r) {
    float* out = c + r * c_row;
    if (columns == kLanes) {
      Store(Load(out) + sums[r], out);
    } else {
      for (int64_t j = 0; j < columns; ++j) out[j] += sums[r][j];
    }
  }
}

DRAY_INLINE void AddColumns(int64_t m, int64_t k, MatrixView a, const float* b, int64_t b_row,
                            float* c, int64_t c_row, int64_t columns) {
  constexpr int kRows = 6;
  int64_t i = 0;
  for (; i + kRows <= m; i += kRows) {
    AddTile<kRows>(k, {a.data + i * a.row, a.row, a.column}, b, b_row, c + i * c_row, c_row,
                   columns);
  }
  const MatrixView rest{a.data + i * a.row, a.row, a.column};
  switch (m - i) {
    case 5:
      return AddTile<5>(k, rest, b, b_row, c + i * c_row, c_row, columns);
    case 4:
      return AddTile<4>(k, rest, b, b_row, c + i * c_row, c_row, columns);
    case 3:
      return AddTile<3>(k, rest, b, b_row, c + i * c_row, c_row, columns);
    case 2:
      return AddTile<2>(k, rest, b, b_row, c + i * c_row, c_row, columns);
    case 1:
      return AddTile<1>(k, rest, b, b_row, c + i * c_row, c_row, columns);
    default:
      return;
  }
}

}  // namespace

DRAY_EVERY_CPU
void AddProduct(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b, float* c) {
  int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes) AddColumns(m, k, a, b + j, n, c + j, n, kLanes);
  if (j == n) return;
  // The last columns, padded with zeros to a whole vector.
  static thread_local std::vector<float> padded;
  padded.assign(static_cast<size_t>(k * kLanes), 0.0f);
  for (int64_t i = 0; i < k; ++i) std::copy_n(b + i * n + j, n - j, padded.data() + i * kLanes);
  AddColumns(m, k, a, padded.data(), kLanes, c + j, n, n - j);
}

// x P(x^2) / Q(x^2), fitted to the smallest relative error on [-8, 8]; beyond, tanh is 1 to a
// float.
DRAY_EVERY_CPU
void Tanh(std::span<float> values) {
  for (float& value : values) {
    float x = value;
    x = x > 8.0f ? 8.0f : x;
    x = x < -8.0f ? -8.0f : x;
    const float y = x * x;
    const float p =
        0.999999994f +
        y * (0.134444912f + y * (0.00357158852f + y * (2.18944399e-05f + y * 1.52299597e-08f)));
    const float q = 1.0f + y * (0.467778185f +
                                y * (0.0261644105f + y * (0.000341127378f + y * 8.52229267e-07f)));
    value = x * p / q;
  }
}

DRAY_EVERY_CPU
void Relu(std::span<float> values) {
  for (float& value : values) value = value > 0 ? value : 0;
}

DRAY_EVERY_CPU
void TanhGradient(std::span<const float> outputs, std::span<float> gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) gradients[i] *= 1.0f - outputs[i] * outputs[i];
}

DRAY_EVERY_CPU
void ReluGradient(std::span<const float> outputs, std::span<float> gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) gradients[i] = outputs[i] > 0 ? gradients[i] : 0;
}

DRAY_EVERY_CPU
void SumRows(std::span<const float> values, std::span<float> sums) {
  std::ranges::fill(sums, 0.0f);
  const size_t columns = sums.size();
  for (size_t start = 0; start < values.size(); start += columns) {
    for (size_t j = 0; j < columns; ++j) sums[j] += values[start + j];
  }
}

}  // namespace dray
