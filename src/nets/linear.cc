#include "src/nets/linear.h"

#include <algorithm>

#include "src/nets/kernels.h"

namespace dray {
namespace {

constexpr int64_t kLongRow = 256;

}  // namespace

void WriteBiases(const LinearPart& part, const float* parameters, int64_t rows, float* to) {
  for (int64_t row = 0; row < rows; ++row) {
    std::copy_n(parameters + part.biases(), part.out, to + row * part.out);
  }
}

void ApplyLinear(const LinearPart& part, const float* parameters, int64_t rows, const float* from,
                 float* to) {
  if (part.biased) {
    WriteBiases(part, parameters, rows, to);
  } else {
    std::fill_n(to, rows * part.out, 0.0f);
  }
  AddProduct(rows, part.out, part.in, {from, part.in, 1}, parameters + part.start, to);
}

void WriteBiasGradients(const LinearPart& part, int64_t rows, const float* by_to,
                        float* gradients) {
  if (!part.biased) return;
  SumRows({by_to, by_to + rows * part.out}, {gradients + part.biases(), gradients + part.end()});
}

void WriteWeightGradients(const LinearPart& part, Range inputs, int64_t rows, const float* from,
                          const float* by_to, float* gradients, std::vector<float>& transposed) {
  float* to = gradients + part.start + inputs.first * part.out;
  std::fill_n(to, inputs.count * part.out, 0.0f);
  // Transposed inputs times the gradients. A transposed view is enough, unless the rows are so long
  // that each element would come from a different part of the cache.
  MatrixView turned{from + inputs.first, 1, part.in};
  if (part.in >= kLongRow) {
    transposed.resize(rows * inputs.count);
    Transpose(rows, inputs.count, turned.data, part.in, transposed.data(), rows);
    turned = {transposed.data(), rows, 1};
  }
  AddProduct(inputs.count, part.out, rows, turned, by_to, to);
}

void WriteLinearGradients(const LinearPart& part, int64_t rows, const float* from,
                          const float* by_to, float* gradients, std::vector<float>& transposed) {
  WriteWeightGradients(part, {0, part.in}, rows, from, by_to, gradients, transposed);
  WriteBiasGradients(part, rows, by_to, gradients);
}

void AddByInputs(const LinearPart& part, const float* parameters, int64_t rows, const float* by_to,
                 float* by_from, std::vector<float>& transposed) {
  transposed.resize(part.in * part.out);
  Transpose(part.in, part.out, parameters + part.start, transposed.data());
  AddProduct(rows, part.in, part.out, {by_to, part.out, 1}, transposed.data(), by_from);
}

}  // namespace dray
