#pragma once

#include <cstdint>
#include <span>

namespace dray {

// Dense kernels on plain memory, for networks so small that a tensor library would mostly spend its
// time in dispatch. Written once with vectors of 16 floats; the compiler makes a version per
// instruction set, and the best one for the machine is chosen at start-up.

// A matrix in memory: element (i, j) is data[i * row + j * column].
struct MatrixView {
  const float* data;
  int64_t row;
  int64_t column;
};

// Computes c += a b for c [m, n] and b [k, n], both row-major without gaps, and any view a of [m,
// k].
void AddProduct(int64_t m, int64_t n, int64_t k, MatrixView a, const float* b, float* c);

// Adds every row of `table` [any, sum.size()] named by an index to `sum`, in the order of the
// indices.
void AddTableRows(const float* table, std::span<const int32_t> indices, std::span<float> sum);

// Replaces each value by its hyperbolic tangent, with an error of at most 4e-7.
void Tanh(std::span<float> values);
// Replaces negative values by 0.
void Relu(std::span<float> values);

// Turns gradients with respect to an activation's outputs into gradients with respect to its
// inputs, given the outputs.
void TanhGradient(std::span<const float> outputs, std::span<float> gradients);
void ReluGradient(std::span<const float> outputs, std::span<float> gradients);

// Computes sums[j] = sum over rows of values[i, j], for row-major values with sums.size() columns.
void SumRows(std::span<const float> values, std::span<float> sums);

// Replaces the first `used` numbers of each row by the softmax of `scale` times themselves, and the
// rest by 0. `stride` is the length of a row and a multiple of 16.
void SoftmaxRows(int64_t rows, int64_t used, int64_t stride, float scale, float* values);
// Turns gradients with respect to the output of SoftmaxRows into gradients with respect to its
// input.
void SoftmaxGradientRows(int64_t rows, int64_t stride, float scale, const float* weights,
                         float* gradients);

// Computes the probabilities of one row of logits, 0 where not `allowed` (empty: all are), and the
// terms they are made of: p = exp(logit - top - log_total).
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

// Transposes [rows, columns] to [columns, rows], both row-major; from_row and to_row are the
// distances between their rows.
void Transpose(int64_t rows, int64_t columns, const float* from, int64_t from_row, float* to,
               int64_t to_row);
// Transposes a matrix without gaps between rows.
inline void Transpose(int64_t rows, int64_t columns, const float* from, float* to) {
  Transpose(rows, columns, from, columns, to, rows);
}

// Computes the sum of squares of at most kStretch values in floats. Values that are not finite give
// a result that is not finite.
inline constexpr size_t kStretch = 4096;
double SumSquares(std::span<const float> values);

// One step of Adam, with the powers of its decay rates precomputed.
struct AdamStep {
  float gradient_scale;  // factor of all gradients
  float keep_first, take_first;
  float keep_second, take_second;
  float rate;          // learning rate / (1 - beta1^t)
  float second_scale;  // 1 / (1 - beta2^t)
  float epsilon;
};
// Updates parameters and moments in one pass.
void TakeAdamStep(const AdamStep& step, std::span<const float> gradients, std::span<float> first,
                  std::span<float> second, std::span<float> parameters);

}  // namespace dray
