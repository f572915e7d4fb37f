#include "src/nets/kernels.h"

#include <algorithm>

#include "src/nets/lanes.h"

namespace dray {
namespace {

constexpr int64_t kBlock = 256;     // of k at a time: what a tile needs stays in the first cache
constexpr int64_t kFarApart = 256;  // elements; about a quarter of a page

// A tile of `Rows` x `Vectors` * 16 elements of c stays in registers while k runs. Of its columns
// only the first `columns` exist in c.
template <int Rows, int Vectors>
DRAY_INLINE void AddTile(int64_t k, MatrixView a, const float* b, int64_t b_row, float* c,
                         int64_t c_row, int64_t columns) {
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
    float* out = c + r * c_row;
    if (columns == Vectors * kLanes) {
      for (int v = 0; v < Vectors; ++v)
        Store(Load(out + v * kLanes) + sums[r][v], out + v * kLanes);
    } else {
      for (int64_t j = 0; j < columns; ++j) out[j] += sums[r][j / kLanes][j % kLanes];
    }
  }
}

// m rows of c, in tiles of `Rows` as long as they fit, the rest in one smaller tile.
template <int Rows, int Vectors>
DRAY_INLINE void AddRows(int64_t m, int64_t k, MatrixView a, const float* b, int64_t b_row,
                         float* c, int64_t c_row, int64_t columns) {
  // Far-apart elements of a are first brought together: each would cost a page of its own.
  const bool gather = a.column >= kFarApart;
  float near[Rows * kBlock];
  int64_t i = 0;
  for (; i + Rows <= m; i += Rows) {
    MatrixView rows{a.data + i * a.row, a.row, a.column};
    if (gather) {
      for (int64_t l = 0; l < k; ++l) {
        for (int r = 0; r < Rows; ++r) near[l * Rows + r] = rows.data[r * a.row + l * a.column];
      }
      rows = {near, 1, Rows};
    }
    AddTile<Rows, Vectors>(k, rows, b, b_row, c + i * c_row, c_row, columns);
  }
  if constexpr (Rows > 1) {
    if (i < m) {
      AddRows<Rows - 1, Vectors>(m - i, k, {a.data + i * a.row, a.row, a.column}, b, b_row,
                                 c + i * c_row, c_row, columns);
    }
  }
}

// Some columns of c, at most `Vectors` * 16. Packed, b's part is contiguous and padded with zeros.
template <int Rows, int Vectors>
DRAY_INLINE void AddColumns(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b, float* c,
                            int64_t columns, bool pack) {
  constexpr int64_t kWidth = Vectors * kLanes;
  if (!pack && columns == kWidth) return AddRows<Rows, Vectors>(m, k, a, b, n, c, n, columns);
  alignas(64) float packed[kBlock * kWidth];
  for (int64_t i = 0; i < k; ++i) {
    float* row = packed + i * kWidth;
    std::copy_n(b + i * n, columns, row);
    std::fill(row + columns, row + kWidth, 0.0f);
  }
  AddRows<Rows, Vectors>(m, k, a, packed, kWidth, c, n, columns);
}

template <int Rows, int Vectors>
DRAY_INLINE void AddProductInTiles(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b,
                                   float* c) {
  constexpr int64_t kWidth = Vectors * kLanes;
  // Packing pays when what is packed is used by several tiles and would not stay in the cache
  // anyway.
  const bool pack = m >= 4 * Rows && n >= kFarApart;
  for (int64_t start = 0; start < k; start += kBlock) {
    const int64_t block = std::min(kBlock, k - start);
    const MatrixView left{a.data + start * a.column, a.row, a.column};
    const float* right = b + start * n;
    int64_t j = 0;
    for (; n - j > kLanes; j += kWidth) {
      AddColumns<Rows, Vectors>(m, n, block, left, right + j, c + j, std::min(kWidth, n - j), pack);
    }
    if (j < n) AddColumns<Rows, 1>(m, n, block, left, right + j, c + j, n - j, pack);
  }
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

// The first `Vectors` * 16 columns of the rows that indices name, added up in registers.
template <int Vectors>
DRAY_INLINE void AddTableColumns(const float* table, int64_t row, std::span<const int32_t> indices,
                                 float* sum) {
  Lanes sums[Vectors];
  for (int v = 0; v < Vectors; ++v) sums[v] = Load(sum + v * kLanes);
  for (const int32_t index : indices) {
    const float* from = table + index * row;
    for (int v = 0; v < Vectors; ++v) sums[v] += Load(from + v * kLanes);
  }
  for (int v = 0; v < Vectors; ++v) Store(sums[v], sum + v * kLanes);
}

template <int Vectors>
DRAY_INLINE void AddToTableColumns(const float* values, int64_t row,
                                   std::span<const int32_t> indices, float* table) {
  Lanes added[Vectors];
  for (int v = 0; v < Vectors; ++v) added[v] = Load(values + v * kLanes);
  for (const int32_t index : indices) {
    float* to = table + index * row;
    for (int v = 0; v < Vectors; ++v) Store(Load(to + v * kLanes) + added[v], to + v * kLanes);
  }
}

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

DRAY_EVERY_CPU
void AddTableRows(const float* table, std::span<const int32_t> indices, std::span<float> sum) {
  const auto width = static_cast<int64_t>(sum.size());
  int64_t j = 0;
  for (; j + 8 * kLanes <= width; j += 8 * kLanes) {
    AddTableColumns<8>(table + j, width, indices, sum.data() + j);
  }
  for (; j + kLanes <= width; j += kLanes) {
    AddTableColumns<1>(table + j, width, indices, sum.data() + j);
  }
  for (; j < width; ++j) {
    for (const int32_t index : indices) sum[j] += table[index * width + j];
  }
}

DRAY_EVERY_CPU
void AddToTableRows(std::span<const float> values, std::span<const int32_t> indices, float* table) {
  const auto width = static_cast<int64_t>(values.size());
  int64_t j = 0;
  for (; j + 8 * kLanes <= width; j += 8 * kLanes) {
    AddToTableColumns<8>(values.data() + j, width, indices, table + j);
  }
  for (; j + kLanes <= width; j += kLanes) {
    AddToTableColumns<1>(values.data() + j, width, indices, table + j);
  }
  for (; j < width; ++j) {
    for (const int32_t index : indices) table[index * width + j] += values[j];
  }
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
