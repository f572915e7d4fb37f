#include "src/oracle/neural/cpu_encoder.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/nets/kernels.h"
#include "src/oracle/neural/attention_kernels.h"

namespace dray {
namespace {

// Grows the vector to `size` if needed; never shrinks it.
void Grow(std::vector<float>& values, int64_t size) {
  if (std::ssize(values) < size) values.resize(size);
}

}  // namespace

void CpuEncoder::Multiply(int64_t rows, const float* in, const ParameterSlot& matrix,
                          const ParameterSlot* bias, std::vector<float>& out) const {
  const int64_t columns = matrix.columns;
  Grow(out, rows * columns);
  for (int64_t row = 0; row < rows; ++row) {
    float* to = out.data() + row * columns;
    if (bias == nullptr) {
      std::fill_n(to, columns, 0.0f);
    } else {
      std::copy_n(At(*bias), columns, to);
    }
  }
  AddProduct(rows, columns, matrix.rows, {in, matrix.rows, 1}, At(matrix), out.data());
}

std::span<const EncodedRequests> CpuEncoder::Encode(std::span<const Problem* const> problems) {
  WriteFeatures(problems);
  Multiply(rows_, tokens_.data(), layout_.token, &layout_.token_bias, x_);
  for (int layer = 0; layer < weights_.shape.layers; ++layer) {
    Attend(layer);
    Perceptron(layer);
  }
  Finish();
  return encoded_;
}

void CpuEncoder::WriteFeatures(std::span<const Problem* const> problems) {
  rows_ = 0;
  parts_.clear();
  size_t bias_size = 0;
  for (const Problem* problem : problems) {
    const auto n = std::ssize(problem->requests);
    DRAY_CHECK_GE(n, 1);
    parts_.push_back({n, rows_, bias_size});
    rows_ += n;
    bias_size += weights_.shape.pair_outputs() * n * n;
  }
  Grow(tokens_, rows_ * kTokenFeatures);
  // Attention reads whole vectors, which reach beyond the last row.
  Grow(biases_, bias_size + kVector);
  for (size_t i = 0; i < problems.size(); ++i) {
    const Part& part = parts_[i];
    const size_t plane = part.n * part.n;
    Grow(pairs_, 2 * kPairFeatures * plane);
    features_.Write(
        *problems[i], part.n,
        std::span(tokens_).subspan(part.first * kTokenFeatures, part.n * kTokenFeatures),
        std::span(pairs_).first(kPairFeatures * plane));
    WriteBiases(part);
  }
}

// Adds the other directions to the pair features in pairs_ and computes the biases.
void CpuEncoder::WriteBiases(const Part& part) {
  const int64_t n = part.n, plane = n * n;
  for (int64_t feature = 0; feature < kPairFeatures; ++feature) {
    const float* from = pairs_.data() + feature * plane;
    float* to = pairs_.data() + (kPairFeatures + feature) * plane;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) to[i * n + j] = from[j * n + i];
    }
  }
  // The matrix is on the left, so that planes stay planes.
  const auto layer = [&](const ParameterSlot& matrix, const ParameterSlot& bias, const float* in,
                         float* out) {
    for (int64_t row = 0; row < matrix.columns; ++row)
      std::fill_n(out + row * plane, plane, At(bias)[row]);
    AddProduct(matrix.columns, plane, matrix.rows, {At(matrix), 1, matrix.columns}, in, out);
  };
  const int64_t hidden = layout_.pair.columns * plane;
  Grow(pair_hidden_, hidden);
  layer(layout_.pair, layout_.pair_bias, pairs_.data(), pair_hidden_.data());
  Relu(std::span(pair_hidden_).first(hidden));
  layer(layout_.pair_out, layout_.pair_out_bias, pair_hidden_.data(), biases_.data() + part.biases);
}

void CpuEncoder::Attend(int index) {
  const SequenceNetLayout::Layer& layer = layout_.layers[index];
  const int64_t dim = weights_.shape.dim, heads = weights_.shape.heads;
  const float scale = 1.0f / std::sqrt(static_cast<float>(weights_.shape.head_dim()));
  Grow(normed_, rows_ * dim);
  NormRows(rows_, dim, x_.data(), At(layer.attention_gain), normed_.data());
  Multiply(rows_, normed_.data(), layer.qkv, nullptr, qkv_);
  for (const Part& part : parts_) {
    const int64_t padded = PaddedColumns(part.n);
    Grow(keys_, dim * padded);
    Grow(scores_, 4 * padded);
    mask_.assign(padded, kMasked);
    std::fill_n(mask_.begin(), part.n, 0.0f);
    const float* rows = qkv_.data() + part.first * 3 * dim;
    TransposePadded(part.n, dim, 3 * dim, scale, rows + dim, keys_.data());
    const HeadsView view{.n = part.n,
                         .heads = heads,
                         .head_dim = weights_.shape.head_dim(),
                         .keys = keys_.data(),
                         .values = rows + 2 * dim,
                         .value_stride = 3 * dim,
                         .mask = mask_.data()};
    const float* planes = biases_.data() + part.biases + index * heads * part.n * part.n;
    // normed_ is no longer needed and takes the result.
    AttendAll(view, rows, 3 * dim, planes, scores_.data(), normed_.data() + part.first * dim);
  }
  AddProduct(rows_, dim, dim, {normed_.data(), dim, 1}, At(layer.attention_out), x_.data());
}

void CpuEncoder::Perceptron(int index) {
  const SequenceNetLayout::Layer& layer = layout_.layers[index];
  const int64_t dim = weights_.shape.dim, hidden = weights_.shape.hidden;
  NormRows(rows_, dim, x_.data(), At(layer.hidden_gain), normed_.data());
  Multiply(rows_, normed_.data(), layer.hidden, &layer.hidden_bias, hidden_);
  Relu(std::span(hidden_).first(rows_ * hidden));
  for (int64_t row = 0; row < rows_; ++row) Add(dim, At(layer.out_bias), x_.data() + row * dim);
  AddProduct(rows_, dim, hidden, {hidden_.data(), hidden, 1}, At(layer.out), x_.data());
}

void CpuEncoder::Finish() {
  const int64_t dim = weights_.shape.dim, heads = weights_.shape.heads;
  const auto problems = std::ssize(parts_);
  NormRows(rows_, dim, x_.data(), At(layout_.final_gain), x_.data());
  Multiply(rows_, x_.data(), layout_.nodes, nullptr, nodes_);
  means_.assign(problems * dim, 0.0f);
  for (int64_t i = 0; i < problems; ++i) {
    const Part& part = parts_[i];
    float* mean = means_.data() + i * dim;
    for (int64_t row = part.first; row < part.first + part.n; ++row)
      Add(dim, x_.data() + row * dim, mean);
    for (int64_t d = 0; d < dim; ++d) mean[d] /= part.n;
  }
  Multiply(problems, means_.data(), layout_.graph, nullptr, graphs_);
  encoded_.clear();
  for (int64_t i = 0; i < problems; ++i) {
    const Part& part = parts_[i];
    const int64_t decoder = weights_.shape.layers * heads * part.n * part.n;
    encoded_.push_back({.n = part.n,
                        .nodes = nodes_.data() + part.first * 5 * dim,
                        .graph = graphs_.data() + i * dim,
                        .biases = biases_.data() + part.biases + decoder});
  }
}

}  // namespace dray
