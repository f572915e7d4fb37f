#include "src/nets/cpu_mlp.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/nets/kernels.h"

namespace dray {

CpuMlp::CpuMlp(const std::vector<int64_t>& sizes, Activation activation)
    : activation_(activation), outputs_(sizes.size() - 1) {
  int64_t end = 0;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) {
    layers_.push_back({.name = "", .start = end, .in = sizes[i], .out = sizes[i + 1]});
    end = layers_.back().end();
  }
}

LinearPart CpuMlp::NumbersPart(const CpuInput& input) const {
  LinearPart part = layers_[0];
  part.start += input.bags.width * part.out;
  part.in -= input.bags.width;
  DRAY_CHECK_EQ(static_cast<int64_t>(input.numbers.size()), input.rows * part.in);
  return part;
}

void CpuMlp::AddFirstLayer(std::span<const float> parameters, const CpuInput& input,
                           float* to) const {
  const LinearPart part = NumbersPart(input);
  const auto width = static_cast<size_t>(part.out);
  if (!input.bag_sums.empty()) {
    DRAY_CHECK_EQ(input.bag_sums.size(), static_cast<size_t>(input.rows) * width);
    for (size_t i = 0; i < input.bag_sums.size(); ++i) to[i] += input.bag_sums[i];
  } else if (input.bags.width > 0) {
    for (int64_t row = 0; row < input.rows; ++row) {
      AddTableRows(parameters.data(), input.bags[row], {to + row * part.out, width});
    }
  }
  AddProduct(input.rows, part.out, part.in, {input.numbers.data(), part.in, 1},
             parameters.data() + part.start, to);
}

std::span<float> CpuMlp::Forward(std::span<const float> parameters, const CpuInput& input) {
  DRAY_CHECK_EQ(parameters.size(), parameter_count());
  for (size_t i = 0; i < layers_.size(); ++i) {
    std::vector<float>& to = outputs_[i];
    to.resize(static_cast<size_t>(input.rows * layers_[i].out));
    if (i == 0) {
      WriteBiases(layers_[0], parameters.data(), input.rows, to.data());
      AddFirstLayer(parameters, input, to.data());
    } else {
      ApplyLinear(layers_[i], parameters.data(), input.rows, outputs_[i - 1].data(), to.data());
    }
    if (i + 1 < layers_.size()) activation_ == TANH ? Tanh(to) : Relu(to);
  }
  return outputs_.back();
}

void CpuMlp::ClearNamedRows(const CpuInput& input, float* weight_gradients) {
  const int64_t width = layers_[0].out;
  is_named_.resize(static_cast<size_t>(input.bags.width));
  for (const int32_t row : named_rows_) {
    std::fill_n(weight_gradients + row * width, width, 0.0f);
    is_named_[static_cast<size_t>(row)] = 0;
  }
  named_rows_.clear();
  for (int64_t i = 0; i < input.rows && input.bags.width > 0; ++i) {
    for (const int32_t row : input.bags[i]) {
      if (is_named_[static_cast<size_t>(row)]) continue;
      is_named_[static_cast<size_t>(row)] = 1;
      named_rows_.push_back(row);
    }
  }
}

void CpuMlp::WriteFirstGradients(const CpuInput& input, std::span<float> parameter_gradients) {
  if (input.bags.width > 0) {
    ClearNamedRows(input, parameter_gradients.data());
    const auto width = static_cast<size_t>(layers_[0].out);
    for (int64_t row = 0; row < input.rows; ++row) {
      AddToTableRows(std::span(gradients_).subspan(static_cast<size_t>(row) * width, width),
                     input.bags[row], parameter_gradients.data());
    }
  }
  WriteLinearGradients(NumbersPart(input), input.rows, input.numbers.data(), gradients_.data(),
                       parameter_gradients.data(), transposed_);
}

void CpuMlp::Backward(std::span<const float> parameters, const CpuInput& input,
                      std::span<const float> output_gradients,
                      std::span<float> parameter_gradients) {
  DRAY_CHECK_EQ(parameters.size(), parameter_gradients.size());
  gradients_.assign(output_gradients.begin(), output_gradients.end());
  for (size_t i = layers_.size(); i-- > 1;) {
    const std::vector<float>& from = outputs_[i - 1];
    WriteLinearGradients(layers_[i], input.rows, from.data(), gradients_.data(),
                         parameter_gradients.data(), transposed_);
    next_gradients_.assign(from.size(), 0.0f);
    AddByInputs(layers_[i], parameters.data(), input.rows, gradients_.data(),
                next_gradients_.data(), transposed_);
    activation_ == TANH ? TanhGradient(from, next_gradients_) : ReluGradient(from, next_gradients_);
    gradients_.swap(next_gradients_);
  }
  WriteFirstGradients(input, parameter_gradients);
}

void CpuMlp::InputGradients(std::span<const float> parameters, std::span<float> input_gradients) {
  const LinearPart& first = layers_[0];
  const auto rows = static_cast<int64_t>(gradients_.size()) / first.out;
  DRAY_CHECK_EQ(static_cast<int64_t>(input_gradients.size()), rows * first.in);
  std::ranges::fill(input_gradients, 0.0f);
  AddByInputs(first, parameters.data(), rows, gradients_.data(), input_gradients.data(),
              transposed_);
}

}  // namespace dray
