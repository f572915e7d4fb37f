#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/nets/range.h"

namespace dray {

// A linear layer within a flat array of parameters: weights [in, out] row by row, then biases
// [out] if it has any.
struct LinearPart {
  std::string name;
  int64_t start = 0;
  int64_t in = 0;
  int64_t out = 0;
  bool biased = true;

  int64_t biases() const { return start + in * out; }
  int64_t end() const { return biases() + (biased ? out : 0); }
};

// The functions below work on plain memory; `parameters` and `gradients` are the whole flat arrays.

// Computes to [rows, out] = from [rows, in] through the layer.
void ApplyLinear(const LinearPart& part, const float* parameters, int64_t rows, const float* from,
                 float* to);
// Writes the biases to every row of to [rows, out].
void WriteBiases(const LinearPart& part, const float* parameters, int64_t rows, float* to);
// Overwrites the gradients of the biases, or of the weights of some inputs, given the gradients
// with respect to the layer's outputs.
void WriteBiasGradients(const LinearPart& part, int64_t rows, const float* by_to, float* gradients);
void WriteWeightGradients(const LinearPart& part, Range inputs, int64_t rows, const float* from,
                          const float* by_to, float* gradients, std::vector<float>& transposed);
// Overwrites all of the layer's gradients.
void WriteLinearGradients(const LinearPart& part, int64_t rows, const float* from,
                          const float* by_to, float* gradients, std::vector<float>& transposed);
// Adds the gradients with respect to the inputs to by_from [rows, in].
void AddByInputs(const LinearPart& part, const float* parameters, int64_t rows, const float* by_to,
                 float* by_from, std::vector<float>& transposed);

}  // namespace dray
