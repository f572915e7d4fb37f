#include "src/nets/cpu_mlp.h"

#include <algorithm>
#include <utility>

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

void CpuMlp::ListNamingRows(const BagRows& bags, int64_t rows) {
  naming_end_.assign(static_cast<size_t>(bags.width), 0);
  for (int64_t i = 0; i < rows; ++i) {
    for (const int32_t index : bags[i]) ++naming_end_[static_cast<size_t>(index)];
  }
  int32_t total = 0;
  for (int32_t& end : naming_end_) end = std::exchange(total, total + end);
  naming_rows_.resize(static_cast<size_t>(total));
  for (int64_t i = 0; i < rows; ++i) {
    for (const int32_t index : bags[i]) {
      const int32_t at = naming_end_[static_cast<size_t>(index)]++;
      naming_rows_[static_cast<size_t>(at)] = static_cast<int32_t>(i);
    }
  }
}

void CpuMlp::WriteBagGradients(const CpuInput& input, float* weight_gradients) {
  ListNamingRows(input.bags, input.rows);
  is_named_.resize(naming_end_.size());
  const auto width = static_cast<size_t>(layers_[0].out);
  int32_t start = 0;
  for (size_t index = 0; index < naming_end_.size(); ++index) {
    const std::span<float> row(weight_gradients + index * width, width);
    const bool named = naming_end_[index] > start;
    if (named || is_named_[index]) std::ranges::fill(row, 0.0f);
    if (named) {
      AddTableRows(
          gradients_.data(),
          std::span(naming_rows_)
              .subspan(static_cast<size_t>(start), static_cast<size_t>(naming_end_[index] - start)),
          row);
    }
    is_named_[index] = named;
    start = naming_end_[index];
  }
}

void CpuMlp::WriteFirstGradients(const CpuInput& input, std::span<float> parameter_gradients) {
  if (input.bags.width > 0) WriteBagGradients(input, parameter_gradients.data());
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
