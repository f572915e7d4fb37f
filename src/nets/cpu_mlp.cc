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

void CpuMlp::AddFirstLayer(const float* weights, const MlpInput& input, std::span<float> to) const {
  const int64_t out = sizes_[1], numbers = sizes_[0] - input.bags.width;
  DRAY_CHECK_EQ(static_cast<int64_t>(input.numbers.size()), input.rows * numbers);
  if (!input.bag_sums.empty()) {
    DRAY_CHECK_EQ(input.bag_sums.size(), to.size());
    for (size_t i = 0; i < to.size(); ++i) to[i] += input.bag_sums[i];
  } else if (input.bags.width > 0) {
    const auto width = static_cast<size_t>(out);
    for (int64_t row = 0; row < input.rows; ++row) {
      AddTableRows(weights, input.bags[row], to.subspan(static_cast<size_t>(row) * width, width));
    }
  }
  AddProduct(input.rows, out, numbers, {input.numbers.data(), numbers, 1},
             weights + input.bags.width * out, to.data());
}

std::span<float> CpuMlp::Forward(std::span<const float> parameters, const MlpInput& input) {
  const int64_t rows = input.rows;
  const float* weights = parameters.data();
  for (size_t layer = 0; layer + 1 < sizes_.size(); ++layer) {
    const int64_t in = sizes_[layer], out = sizes_[layer + 1];
    const float* biases = weights + in * out;
    std::vector<float>& to = outputs_[layer];
    to.resize(static_cast<size_t>(rows * out));
    for (int64_t row = 0; row < rows; ++row) std::copy_n(biases, out, to.data() + row * out);
    if (layer == 0) {
      AddFirstLayer(weights, input, to);
    } else {
      AddProduct(rows, out, in, {outputs_[layer - 1].data(), in, 1}, weights, to.data());
    }
    if (layer + 2 < sizes_.size()) activation_ == TANH ? Tanh(to) : Relu(to);
    weights = biases + out;
  }
  DRAY_CHECK_EQ(weights - parameters.data(), static_cast<int64_t>(parameters.size()));
  return outputs_.back();
}

void CpuMlp::AddFirstLayerGradients(const MlpInput& input, float* weight_gradients) const {
  const int64_t out = sizes_[1], numbers = sizes_[0] - input.bags.width;
  if (input.bags.width > 0) {
    const auto width = static_cast<size_t>(out);
    for (int64_t row = 0; row < input.rows; ++row) {
      AddToTableRows(std::span(gradients_).subspan(static_cast<size_t>(row) * width, width),
                     input.bags[row], weight_gradients);
    }
  }
  // The numbers, seen as their transpose, times the gradients.
  AddProduct(numbers, out, input.rows, {input.numbers.data(), 1, numbers}, gradients_.data(),
             weight_gradients + input.bags.width * out);
}

void CpuMlp::Backward(std::span<const float> parameters, const MlpInput& input,
                      std::span<const float> output_gradients,
                      std::span<float> parameter_gradients) {
  DRAY_CHECK_EQ(parameters.size(), parameter_gradients.size());
  const int64_t rows = input.rows;
  std::ranges::fill(parameter_gradients, 0.0f);
  gradients_.assign(output_gradients.begin(), output_gradients.end());
  size_t end = parameters.size();
  for (size_t layer = outputs_.size(); layer-- > 0;) {
    const int64_t in = sizes_[layer], out = sizes_[layer + 1];
    const size_t start = end - static_cast<size_t>((in + 1) * out);
    SumRows(gradients_,
            parameter_gradients.subspan(end - static_cast<size_t>(out), static_cast<size_t>(out)));
    if (layer == 0) {
      AddFirstLayerGradients(input, parameter_gradients.data() + start);
      break;
    }
    const std::vector<float>& from = outputs_[layer - 1];
    AddProduct(in, out, rows, {from.data(), 1, in}, gradients_.data(),
               parameter_gradients.data() + start);
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
