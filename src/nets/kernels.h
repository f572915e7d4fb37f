#pragma once

#include <cstdint>
#include <span>

namespace dray {

// Dense kernels on plain memory, for networks so small that a tensor library would spend its time
// in dispatch. Written once with vectors of 16 floats; the compiler makes a version per instruction
// set and the best one for the machine is chosen when the program starts.

// A matrix in memory: element (i, j) is data[i * row + j * column].
struct MatrixView {
  const float* data;
  int64_t row;
  int64_t column;
};

// c += a b for c [m, n] and b [k, n], both row-major without gaps, and any view a of [m, k].
void AddProduct(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b, float* c);

// sum += every row of `table` [any, sum.size()] that an index names, in the order of the indices.
void AddTableRows(const float* table, std::span<const int32_t> indices, std::span<float> sum);

// Each value becomes its hyperbolic tangent, within 4e-7.
void Tanh(std::span<float> values);
// Each value below 0 becomes 0.
void Relu(std::span<float> values);

// Turns gradients by an activation's outputs into gradients by its inputs, given the outputs.
void TanhGradient(std::span<const float> outputs, std::span<float> gradients);
void ReluGradient(std::span<const float> outputs, std::span<float> gradients);

// sums[j] = sum over rows of values[i, j], values row-major with sums.size() columns.
void SumRows(std::span<const float> values, std::span<float> sums);

// In each of `rows` rows of `stride` numbers, a multiple of 16, the first `used` become the softmax
// of `scale` times themselves and the rest 0.
void SoftmaxRows(int64_t rows, int64_t used, int64_t stride, float scale, float* values);
// Turns gradients by what SoftmaxRows wrote into gradients by what it read.
void SoftmaxGradientRows(int64_t rows, int64_t stride, float scale, const float* weights,
                         float* gradients);

// The probabilities of one row of logits, 0 where they are not `allowed` (empty: all are), and what
// they were made with: p = exp(logit - top - log_total).
struct Categorical {
  float top = 0;
  float log_total = 0;
  float entropy = 0;
};
Categorical CategoricalRow(std::span<const float> logits, std::span<const bool> allowed,
                           std::span<float> probabilities);
// Turns the probabilities p of such a row into p (entropy_weight (log p + entropy) - weight).
void CategoricalGradientRow(std::span<const float> logits, const Categorical& row,
                            float entropy_weight, float weight, std::span<float> probabilities);

// [rows, columns] -> [columns, rows], both row-major, their rows this far apart.
void Transpose(int64_t rows, int64_t columns, const float* from, int64_t from_row, float* to,
               int64_t to_row);
// Likewise without gaps.
inline void Transpose(int64_t rows, int64_t columns, const float* from, float* to) {
  Transpose(rows, columns, from, columns, to, rows);
}

// The sum of the squares of at most kStretch values, in floats; what is not finite stays so.
inline constexpr size_t kStretch = 4096;
double SumSquares(std::span<const float> values);

// One step of Adam, with the powers of its decays worked out.
struct AdamStep {
  float gradient_scale;  // gradients count times this
  float keep_first, take_first;
  float keep_second, take_second;
  float rate;          // learning rate / (1 - beta1^t)
  float second_scale;  // 1 / (1 - beta2^t)
  float epsilon;
};
// Parameter by parameter, in one pass over all four.
void TakeAdamStep(const AdamStep& step, std::span<const float> gradients, std::span<float> first,
                  std::span<float> second, std::span<float> parameters);

}  // namespace dray
