#include "src/nets/kernels.h"

#include <algorithm>
#include <cstring>

#include "src/nets/lanes.h"

namespace dray {
namespace {

constexpr int64_t kBlock =
    256;  // block of k, so that a tile's operands stay in the first-level cache
constexpr int64_t kFarApart = 256;  // distance in elements, about a quarter of a page

// Interleaves the first halves of two rows, or their second halves.
DRAY_INLINE Lanes LowInTurn(const Lanes& a, const Lanes& b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
DRAY_INLINE Lanes HighInTurn(const Lanes& a, const Lanes& b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}

// Transposes a block of 16 x 16. Interleaving rows i and i + 8 moves the first bit of the row
// number to the end of the column number and vice versa; after four rounds the two have changed
// places.
DRAY_INLINE void TransposeBlock(const float* from, int64_t from_row, float* to, int64_t to_row) {
  Lanes rows[kLanes], turned[kLanes];
  for (int64_t i = 0; i < kLanes; ++i) rows[i] = Load(from + i * from_row);
  for (int round = 0; round < 4; ++round) {
    for (int64_t i = 0; i < kLanes / 2; ++i) {
      turned[2 * i] = LowInTurn(rows[i], rows[i + kLanes / 2]);
      turned[2 * i + 1] = HighInTurn(rows[i], rows[i + kLanes / 2]);
    }
    for (int64_t i = 0; i < kLanes; ++i) rows[i] = turned[i];
  }
  for (int64_t i = 0; i < kLanes; ++i) Store(rows[i], to + i * to_row);
}

// Keeps a tile of `Rows` x `Vectors` * 16 elements of c in registers while k runs. Only the first
// `columns` of its columns exist in c. Part is a vector that fits a register, because compilers
// keep arrays of larger ones in memory.
template <typename Part, int Rows, int Vectors>
DRAY_INLINE void AddTile(int64_t k, MatrixView a, const float* b, int64_t b_row, float* c,
                         int64_t c_row, int64_t columns) {
  constexpr int64_t kPart = sizeof(Part) / sizeof(float);
  constexpr int kParts = Vectors * kLanes / kPart;
  Part sums[Rows][kParts] = {};
  for (int64_t i = 0; i < k; ++i) {
    Part right[kParts];
    for (int p = 0; p < kParts; ++p) right[p] = Load<Part>(b + i * b_row + p * kPart);
    for (int r = 0; r < Rows; ++r) {
      const float left = a.data[r * a.row + i * a.column];
      for (int p = 0; p < kParts; ++p) sums[r][p] += left * right[p];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    float* out = c + r * c_row;
    if (columns == Vectors * kLanes) {
      for (int p = 0; p < kParts; ++p) {
        Store(Load<Part>(out + p * kPart) + sums[r][p], out + p * kPart);
      }
    } else {
      for (int64_t j = 0; j < columns; ++j) out[j] += sums[r][j / kPart][j % kPart];
    }
  }
}

// Computes m rows of c in tiles of `Rows`, the rest in one smaller tile.
template <typename Part, int Rows, int Vectors>
DRAY_INLINE void AddRows(int64_t m, int64_t k, MatrixView a, const float* b, int64_t b_row,
                         float* c, int64_t c_row, int64_t columns) {
  // Elements of `a` that are far apart are gathered first, because each would touch its own page.
  const bool gather = a.column >= kFarApart;
  float near[Rows * kBlock];
  int64_t i = 0;
  for (; i + Rows <= m; i += Rows) {
    MatrixView rows{a.data + i * a.row, a.row, a.column};
    if (gather) {
      for (int64_t l = 0; l < k; ++l) {
        const float* from = rows.data + l * a.column;
        if (a.row == 1) {
          std::memcpy(near + l * Rows, from, Rows * sizeof(float));
        } else {
          for (int r = 0; r < Rows; ++r) near[l * Rows + r] = from[r * a.row];
        }
      }
      rows = {near, 1, Rows};
    }
    AddTile<Part, Rows, Vectors>(k, rows, b, b_row, c + i * c_row, c_row, columns);
  }
  if constexpr (Rows > 1) {
    if (i < m) {
      AddRows<Part, Rows - 1, Vectors>(m - i, k, {a.data + i * a.row, a.row, a.column}, b, b_row,
                                       c + i * c_row, c_row, columns);
    }
  }
}

// Computes at most `Vectors` * 16 columns of c. If packed, this part of b is contiguous and padded
// with zeros.
template <typename Part, int Rows, int Vectors>
DRAY_INLINE void AddColumns(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b, float* c,
                            int64_t columns, bool pack) {
  constexpr int64_t kWidth = Vectors * kLanes;
  if (!pack && columns == kWidth) return AddRows<Part, Rows, Vectors>(m, k, a, b, n, c, n, columns);
  alignas(64) float packed[kBlock * kWidth];
  for (int64_t i = 0; i < k; ++i) {
    float* row = packed + i * kWidth;
    if (columns == kWidth) {
      for (int v = 0; v < Vectors; ++v) Store(Load(b + i * n + v * kLanes), row + v * kLanes);
    } else {
      std::copy_n(b + i * n, columns, row);
      std::fill(row + columns, row + kWidth, 0.0f);
    }
  }
  AddRows<Part, Rows, Vectors>(m, k, a, packed, kWidth, c, n, columns);
}

template <typename Part, int Rows, int Vectors>
DRAY_INLINE void AddProductInTiles(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b,
                                   float* c) {
  constexpr int64_t kWidth = Vectors * kLanes;
  // Packing pays off if several tiles use the packed part and it would not stay in the cache
  // anyway.
  const bool pack = m >= 4 * Rows && n >= kFarApart;
  for (int64_t start = 0; start < k; start += kBlock) {
    const int64_t block = std::min(kBlock, k - start);
    const MatrixView left{a.data + start * a.column, a.row, a.column};
    const float* right = b + start * n;
    int64_t j = 0;
    for (; n - j > kLanes; j += kWidth) {
      AddColumns<Part, Rows, Vectors>(m, n, block, left, right + j, c + j, std::min(kWidth, n - j),
                                      pack);
    }
    if (j < n) AddColumns<Part, Rows, 1>(m, n, block, left, right + j, c + j, n - j, pack);
  }
}

// Chooses tiles as large as the registers of an instruction set hold; four floats are a register on
// every processor.
void AddProductAnywhere(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b, float* c) {
  AddProductInTiles<Quad, 6, 1>(m, n, k, a, b, c);
}

#ifdef DRAY_X86
__attribute__((target("arch=x86-64-v3"))) void AddProductAvx2(int64_t m, int64_t n, int64_t k,
                                                              MatrixView a, const float* b,
                                                              float* c) {
  AddProductInTiles<Octet, 6, 1>(m, n, k, a, b, c);
}

__attribute__((target("arch=x86-64-v4"))) void AddProductAvx512(int64_t m, int64_t n, int64_t k,
                                                                MatrixView a, const float* b,
                                                                float* c) {
  AddProductInTiles<Lanes, 8, 2>(m, n, k, a, b, c);
}
#endif

constexpr int64_t kRegister = sizeof(Register) / sizeof(float);

// Adds up the first `Registers` full of columns of the indexed rows, in registers.
template <int Registers>
DRAY_INLINE void AddTableColumns(const float* table, int64_t row, std::span<const int32_t> indices,
                                 float* sum) {
  Register sums[Registers];
  for (int r = 0; r < Registers; ++r) sums[r] = Load<Register>(sum + r * kRegister);
  for (const int32_t index : indices) {
    const float* from = table + index * row;
    for (int r = 0; r < Registers; ++r) sums[r] += Load<Register>(from + r * kRegister);
  }
  for (int r = 0; r < Registers; ++r) Store(sums[r], sum + r * kRegister);
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
  const auto width = std::ssize(sum);
  int64_t j = 0;
  for (; j + 8 * kRegister <= width; j += 8 * kRegister) {
    AddTableColumns<8>(table + j, width, indices, sum.data() + j);
  }
  for (; j + kRegister <= width; j += kRegister) {
    AddTableColumns<1>(table + j, width, indices, sum.data() + j);
  }
  for (; j < width; ++j) {
    for (const int32_t index : indices) sum[j] += table[index * width + j];
  }
}

DRAY_EVERY_CPU
void Transpose(int64_t rows, int64_t columns, const float* from, int64_t from_row, float* to,
               int64_t to_row) {
  const int64_t whole_rows = rows / kLanes * kLanes, whole_columns = columns / kLanes * kLanes;
  for (int64_t i = 0; i < whole_rows; i += kLanes) {
    for (int64_t j = 0; j < whole_columns; j += kLanes) {
      TransposeBlock(from + i * from_row + j, from_row, to + j * to_row + i, to_row);
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = i < whole_rows ? whole_columns : 0; j < columns; ++j) {
      to[j * to_row + i] = from[i * from_row + j];
    }
  }
}

}  // namespace dray
