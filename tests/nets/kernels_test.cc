#include "src/nets/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "src/base/rng.h"

namespace dray {
namespace {

std::vector<float> Random(int64_t size, Rng& rng) {
  std::vector<float> values(static_cast<size_t>(size));
  for (float& value : values) value = static_cast<float>(rng.Normal());
  return values;
}

// Every shape around the tile's edges, and both ways to look at the left matrix.
TEST(AddProduct, IsTheProductForEveryShape) {
  Rng rng(1, RngPurpose::kTest, 0);
  for (const int64_t m : {1, 2, 5, 6, 7, 13}) {
    for (const int64_t n : {1, 2, 15, 16, 17, 40}) {
      for (const int64_t k : {1, 3, 64}) {
        for (const bool transposed : {false, true}) {
          const auto a = Random(m * k, rng), b = Random(k * n, rng);
          auto c = Random(m * n, rng);
          const auto before = c;
          const MatrixView view =
              transposed ? MatrixView{a.data(), 1, m} : MatrixView{a.data(), k, 1};
          AddProduct(m, n, k, view, b.data(), c.data());
          for (int64_t i = 0; i < m; ++i) {
            for (int64_t j = 0; j < n; ++j) {
              double expected = before[i * n + j];
              for (int64_t l = 0; l < k; ++l) {
                expected += double{a[i * view.row + l * view.column]} * b[l * n + j];
              }
              ASSERT_NEAR(c[i * n + j], expected, 1e-4) << m << " " << n << " " << k;
            }
          }
        }
      }
    }
  }
}

// Large enough for blocks of k, packed columns and far-apart rows.
TEST(AddProduct, IsTheProductOfLargeMatrices) {
  Rng rng(2, RngPurpose::kTest, 0);
  const int64_t m = 300, n = 283, k = 531;
  const auto a = Random(m * k, rng), b = Random(k * n, rng);
  for (const bool transposed : {false, true}) {
    std::vector<float> c(m * n, 1.0f);
    const MatrixView view = transposed ? MatrixView{a.data(), 1, m} : MatrixView{a.data(), k, 1};
    AddProduct(m, n, k, view, b.data(), c.data());
    for (int64_t i = 0; i < m; i += 7) {
      for (int64_t j = 0; j < n; ++j) {
        double expected = 1;
        for (int64_t l = 0; l < k; ++l) {
          expected += double{a[i * view.row + l * view.column]} * b[l * n + j];
        }
        ASSERT_NEAR(c[i * n + j], expected, 1e-3) << i << " " << j;
      }
    }
  }
}

// Widths around those of the vectors and of what stays in registers.
// What threads share out among them: a row alone comes to the same bits as among others.
TEST(AddProduct, IsTheSameBitsHoweverItsRowsAreCut) {
  Rng rng(3, RngPurpose::kTest, 0);
  const int64_t m = 37;
  for (const int64_t n : {1, 3, 16, 17, 32, 33, 100, 300}) {
    for (const int64_t k : {1, 5, 64, 300}) {
      for (const bool transposed : {false, true}) {
        const auto a = Random(m * k, rng), b = Random(k * n, rng), before = Random(m * n, rng);
        const auto view = [&](int64_t row) {
          return transposed ? MatrixView{a.data() + row, 1, m}
                            : MatrixView{a.data() + row * k, k, 1};
        };
        auto whole = before;
        AddProduct(m, n, k, view(0), b.data(), whole.data());
        for (const int64_t cut : {1, 2, 3, 5, 7, 9, 20}) {
          auto parts = before;
          for (int64_t i = 0; i < m; i += cut) {
            AddProduct(std::min(cut, m - i), n, k, view(i), b.data(), parts.data() + i * n);
          }
          ASSERT_EQ(parts, whole) << n << " columns, " << k << " terms, " << cut << " rows at once";
        }
      }
    }
  }
}

TEST(Elementwise, IsTheSameBitsHoweverItIsCut) {
  Rng rng(4, RngPurpose::kTest, 0);
  const int64_t size = 203;
  const auto gradients = Random(size, rng), first = Random(size, rng), start = Random(size, rng);
  auto second = Random(size, rng);
  for (float& value : second) value *= value;
  const AdamStep step{0.7f, 0.9f, 0.1f, 0.999f, 0.001f, 3e-4f, 1.7f, 1e-5f};
  // Adam's numbers, then those of the activations, worked out some at a time.
  const auto run = [&](int64_t cut) {
    auto m = first, v = second, p = start, x = start, by = gradients;
    for (int64_t i = 0; i < size; i += cut) {
      const auto some = [&](auto& numbers) {
        return std::span(numbers).subspan(static_cast<size_t>(i),
                                          static_cast<size_t>(std::min(cut, size - i)));
      };
      TakeAdamStep(step, some(gradients), some(m), some(v), some(p));
      Tanh(some(x));
      TanhGradient(some(x), some(by));
    }
    return std::vector{m, v, p, x, by};
  };
  const auto whole = run(size);
  for (const int64_t cut : {1, 3, 7, 16, 19, 100}) EXPECT_EQ(run(cut), whole) << cut;
}

TEST(AddTableRows, AddsTheRowsThatTheIndicesName) {
  Rng rng(3, RngPurpose::kTest, 0);
  for (const int64_t width : {1, 15, 16, 40, 128, 150, 256}) {
    const auto table = Random(9 * width, rng), before = Random(width, rng);
    auto sum = before;
    const std::vector<int32_t> indices = {4, 0, 8, 4};
    AddTableRows(table.data(), indices, sum);
    for (int64_t j = 0; j < width; ++j) {
      double expected = before[j];
      for (const int32_t index : indices) expected += table[index * width + j];
      ASSERT_NEAR(sum[j], expected, 1e-5) << width;
    }
  }
}

TEST(Transpose, IsTheTransposeForEveryShape) {
  Rng rng(4, RngPurpose::kTest, 0);
  for (const int64_t rows : {1, 15, 16, 17, 48, 50}) {
    for (const int64_t columns : {1, 16, 31, 64, 70}) {
      const auto from = Random(rows * columns, rng);
      std::vector<float> to(from.size());
      Transpose(rows, columns, from.data(), to.data());
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) ASSERT_EQ(to[j * rows + i], from[i * columns + j]);
      }
    }
  }
}

TEST(SoftmaxRows, IsTheSoftmaxOfWhatIsUsedAndItsGradient) {
  Rng rng(6, RngPurpose::kTest, 0);
  constexpr float kScale = 0.3f;
  for (const int64_t used : {1, 5, 16, 17, 31}) {
    const int64_t stride = used <= 16 ? 16 : 32, rows = 3;
    auto values = Random(rows * stride, rng);
    values[0] = 40;  // far above the others
    const auto before = values, by_weights = Random(rows * stride, rng);
    SoftmaxRows(rows, used, stride, kScale, values.data());
    auto gradients = by_weights;
    SoftmaxGradientRows(rows, stride, kScale, values.data(), gradients.data());
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t at = row * stride;
      double total = 0, mean = 0;
      for (int64_t i = 0; i < used; ++i) total += std::exp(kScale * double{before[at + i]});
      for (int64_t i = 0; i < used; ++i) {
        const double expected = std::exp(kScale * double{before[at + i]}) / total;
        ASSERT_NEAR(values[at + i], expected, 2e-7) << used;
        mean += expected * by_weights[at + i];
      }
      for (int64_t i = 0; i < stride; ++i) {
        ASSERT_TRUE(i < used || values[at + i] == 0);
        const double expected = values[at + i] * (by_weights[at + i] - mean) * kScale;
        ASSERT_NEAR(gradients[at + i], expected, 1e-6) << used;
      }
    }
  }
}

TEST(SoftmaxRows, KeepsNanSoThatADivergedNetworkIsSeen) {
  std::vector<float> values(16, 0.0f);
  values[3] = NAN;
  SoftmaxRows(1, 10, 16, 1, values.data());
  EXPECT_TRUE(std::isnan(values[0]));
}

TEST(CategoricalRow, IsTheDistributionOfWhatIsAllowedAndItsGradient) {
  Rng rng(7, RngPurpose::kTest, 0);
  for (const size_t width : {1u, 2u, 6u, 15u, 16u, 17u, 36u, 145u}) {
    for (const bool masked : {false, true}) {
      std::vector<float> logits(width), out(width);
      const auto allowed = std::make_unique<bool[]>(width);
      for (size_t j = 0; j < width; ++j) {
        logits[j] = static_cast<float>(rng.Uniform(-30, 30));
        allowed[j] = !masked || j == width / 2 || rng.Below(2) == 1;
      }
      const std::span<const bool> mask(allowed.get(), masked ? width : 0);
      double top = -1e9, total = 0, entropy = 0;
      for (size_t j = 0; j < width; ++j) {
        if (allowed[j]) top = std::max(top, double{logits[j]});
      }
      for (size_t j = 0; j < width; ++j) total += allowed[j] ? std::exp(logits[j] - top) : 0;
      const auto log_p = [&](size_t j) { return logits[j] - top - std::log(total); };
      for (size_t j = 0; j < width; ++j) {
        if (allowed[j]) entropy -= std::exp(log_p(j)) * log_p(j);
      }
      const Categorical row = CategoricalRow(logits, mask, out);
      EXPECT_NEAR(row.top + row.log_total, top + std::log(total), 1e-5);
      EXPECT_NEAR(row.entropy, entropy, 1e-5);
      for (size_t j = 0; j < width; ++j) {
        EXPECT_NEAR(out[j], allowed[j] ? std::exp(log_p(j)) : 0, 1e-6) << width << " " << j;
      }
      CategoricalGradientRow(logits, row, 0.5f, -2.0f, out);
      for (size_t j = 0; j < width; ++j) {
        const double p = allowed[j] ? std::exp(log_p(j)) : 0;
        EXPECT_NEAR(out[j], p * (0.5 * (log_p(j) + entropy) + 2), 1e-5) << width << " " << j;
      }
    }
  }
}

TEST(CategoricalRow, KeepsNanSoThatADivergedNetworkIsSeen) {
  std::vector<float> logits(20, 1.0f), out(20);
  logits[18] = std::nanf("");
  EXPECT_TRUE(std::isnan(CategoricalRow(logits, {}, out).entropy));
}

TEST(SumSquares, IsThatOfAllValues) {
  Rng rng(5, RngPurpose::kTest, 0);
  for (const int64_t size : {0, 1, 63, 64, 3000, 4096}) {
    const auto values = Random(size, rng);
    double expected = 0;
    for (const float value : values) expected += double{value} * value;
    EXPECT_NEAR(SumSquares(values), expected, 1e-6 * (1 + expected)) << size;
  }
  EXPECT_TRUE(std::isnan(SumSquares(std::vector<float>{1, NAN})));
}

TEST(Tanh, IsWithinItsTolerance) {
  std::vector<float> x;
  for (double v = -20; v <= 20; v += 1e-3) x.push_back(static_cast<float>(v));
  std::vector<float> y = x;
  Tanh(y);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(y[i], std::tanh(double{x[i]}), 4e-7) << x[i];
}

TEST(Tanh, KeepsNanSoThatADivergedNetworkIsSeen) {
  std::vector<float> x(40, NAN);
  Tanh(x);
  for (const float value : x) EXPECT_TRUE(std::isnan(value));
}

TEST(ActivationGradients, AreTheDerivatives) {
  const std::vector<float> outputs = {-0.5f, 0.0f, 0.5f};
  std::vector<float> g = {2, 2, 2};
  TanhGradient(outputs, g);
  EXPECT_EQ(g, (std::vector<float>{1.5f, 2, 1.5f}));
  g = {2, 2, 2};
  ReluGradient(outputs, g);
  EXPECT_EQ(g, (std::vector<float>{0, 0, 2}));
}

TEST(SumRows, AddsColumns) {
  std::vector<float> sums(2, 99);
  SumRows(std::vector<float>{1, 2, 3, 4, 5, 6}, sums);
  EXPECT_EQ(sums, (std::vector<float>{9, 12}));
}

}  // namespace
}  // namespace dray
