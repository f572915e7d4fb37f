#include "src/nets/kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

// One compiled version of a function per instruction set. Sanitizers cannot start with such
// functions.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define DRAY_X86
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

// A tile of `Rows` x `Vectors` * 16 elements of c stays in registers while k runs.
template <int Rows, int Vectors>
DRAY_INLINE void AddTile(int64_t k, MatrixView a, const float* b, int64_t b_row, float* c,
                         int64_t c_row) {
  Lanes sums[Rows][Vectors] = {};
  for (int64_t i = 0; i < k; ++i) {
    Lanes right[Vectors];
    for (int v = 0; v < Vectors; ++v) right[v] = Load(b + i * b_row + v * kLanes);
    for (int r = 0; r < Rows; ++r) {
      const float left = a.data[r * a.row + i * a.column];
      for (int v = 0; v < Vectors; ++v) sums[r][v] += left * right[v];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) {
      float* out = c + r * c_row + v * kLanes;
      Store(Load(out) + sums[r][v], out);
    }
  }
}

// m rows of c, in tiles of `Rows` as long as they fit, the rest in one smaller tile.
template <int Rows, int Vectors>
DRAY_INLINE void AddColumns(int64_t m, int64_t k, MatrixView a, const float* b, int64_t b_row,
                            float* c, int64_t c_row) {
  int64_t i = 0;
  for (; i + Rows <= m; i += Rows) {
    AddTile<Rows, Vectors>(k, {a.data + i * a.row, a.row, a.column}, b, b_row, c + i * c_row,
                           c_row);
  }
  if constexpr (Rows > 1) {
    if (i < m) {
      AddColumns<Rows - 1, Vectors>(m - i, k, {a.data + i * a.row, a.row, a.column}, b, b_row,
                                    c + i * c_row, c_row);
    }
  }
}

// Fewer columns than a vector has: computed in padded copies.
template <int Rows>
DRAY_INLINE void AddLastColumns(int64_t m, int64_t columns, int64_t k, MatrixView a, const float* b,
                                int64_t b_row, float* c, int64_t c_row) {
  static thread_local std::vector<float> padded_b, padded_c;
  padded_b.assign(static_cast<size_t>(k * kLanes), 0.0f);
  padded_c.assign(static_cast<size_t>(m * kLanes), 0.0f);
  for (int64_t i = 0; i < k; ++i) {
    for (int64_t j = 0; j < columns; ++j) padded_b[i * kLanes + j] = b[i * b_row + j];
  }
  AddColumns<Rows, 1>(m, k, a, padded_b.data(), kLanes, padded_c.data(), kLanes);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < columns; ++j) c[i * c_row + j] += padded_c[i * kLanes + j];
  }
}

template <int Rows, int Vectors>
DRAY_INLINE void AddProductInTiles(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b,
                                   float* c) {
  int64_t j = 0;
  for (; j + Vectors * kLanes <= n; j += Vectors * kLanes) {
    AddColumns<Rows, Vectors>(m, k, a, b + j, n, c + j, n);
  }
  for (; j + kLanes <= n; j += kLanes) AddColumns<Rows, 1>(m, k, a, b + j, n, c + j, n);
  if (j < n) AddLastColumns<Rows>(m, n - j, k, a, b + j, n, c + j, n);
}

// Tiles as large as the registers of an instruction set hold.
void AddProductAnywhere(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b, float* c) {
  AddProductInTiles<6, 1>(m, n, k, a, b, c);
}

#ifdef DRAY_X86
__attribute__((target("arch=x86-64-v3"))) void AddProductAvx2(int64_t m, int64_t n, int64_t k,
                                                              MatrixView a, const float* b,
                                                              float* c) {
  AddProductInTiles<6, 1>(m, n, k, a, b, c);
}

__attribute__((target("arch=x86-64-v4"))) void AddProductAvx512(int64_t m, int64_t n, int64_t k,
                                                                MatrixView a, const float* b,
                                                                float* c) {
  AddProductInTiles<8, 2>(m, n, k, a, b, c);
}
#endif

decltype(&AddProductAnywhere) BestAddProduct() {
#ifdef DRAY_X86
  if (__builtin_cpu_supports("x86-64-v4")) return AddProductAvx512;
  if (__builtin_cpu_supports("x86-64-v3")) return AddProductAvx2;
#endif
  return AddProductAnywhere;
}

}  // namespace

void AddProduct(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b, float* c) {
  static const auto best = BestAddProduct();
  best(m, n, k, a, b, c);
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
