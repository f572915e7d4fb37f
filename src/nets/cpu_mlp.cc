#include "src/nets/cpu_mlp.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/nets/kernels.h"

namespace dray {

CpuMlp::CpuMlp(std::vector<int64_t> sizes, Activation activation)
    : sizes_(std::move(sizes)), activation_(activation), outputs_(sizes_.size() - 1) {}

size_t CpuMlp::parameter_count() const {
  int64_t count = 0;
  for (size_t i = 0; i + 1 < sizes_.size(); ++i) count += (sizes_[i] + 1) * sizes_[i + 1];
  return static_cast<size_t>(count);
}

std::span<float> CpuMlp::Forward(std::span<const float> parameters, std::span<const float> input) {
  const auto rows = static_cast<int64_t>(input.size()) / sizes_[0];
  const float* weights = parameters.data();
  const float* from = input.data();
  for (size_t layer = 0; layer + 1 < sizes_.size(); ++layer) {
    const int64_t in = sizes_[layer], out = sizes_[layer + 1];
    const float* biases = weights + in * out;
    std::vector<float>& to = outputs_[layer];
    to.resize(static_cast<size_t>(rows * out));
    for (int64_t row = 0; row < rows; ++row) std::copy_n(biases, out, to.data() + row * out);
    AddProduct(rows, out, in, {from, in, 1}, weights, to.data());
    if (layer + 2 < sizes_.size()) activation_ == TANH ? Tanh(to) : Relu(to);
    from = to.data();
    weights = biases + out;
  }
  DRAY_CHECK_EQ(weights - parameters.data(), static_cast<int64_t>(parameters.size()));
  return outputs_.back();
}

void CpuMlp::Backward(std::span<const float> parameters, std::span<const float> input,
                      std::span<const float> output_gradients,
                      std::span<float> parameter_gradients) {
  DRAY_CHECK_EQ(parameters.size(), parameter_gradients.size());
  const auto rows = static_cast<int64_t>(input.size()) / sizes_[0];
  std::ranges::fill(parameter_gradients, 0.0f);
  gradients_.assign(output_gradients.begin(), output_gradients.end());
  size_t end = parameters.size();
  for (size_t layer = outputs_.size(); layer-- > 0;) {
    const int64_t in = sizes_[layer], out = sizes_[layer + 1];
    const size_t start = end - static_cast<size_t>((in + 1) * out);
    const std::span<const float> from =
        layer == 0 ? input : std::span<const float>(outputs_[layer - 1]);
    SumRows(gradients_,
            parameter_gradients.subspan(end - static_cast<size_t>(out), static_cast<size_t>(out)));
    // The input, seen as its transpose, times the gradients.
    AddProduct(in, out, rows, {from.data(), 1, in}, gradients_.data(),
               parameter_gradients.data() + start);
    if (layer == 0) break;
    const float* weights = parameters.data() + start;
    transposed_.resize(static_cast<size_t>(in * out));
    for (int64_t i = 0; i < in; ++i) {
      for (int64_t o = 0; o < out; ++o) transposed_[o * in + i] = weights[i * out + o];
    }
    next_gradients_.assign(static_cast<size_t>(rows * in), 0.0f);
    AddProduct(rows, in, out, {gradients_.data(), out, 1}, transposed_.data(),
               next_gradients_.data());
    activation_ == TANH ? TanhGradient(from, next_gradients_) : ReluGradient(from, next_gradients_);
    gradients_.swap(next_gradients_);
    end = start;
  }
}

}  // namespace dray
