#include "src/nets/cpu_mlp.h"

#include <algorithm>
#include <utility>

#include "src/base/error.h"
#include "src/nets/kernels.h"

namespace dray {
namespace {

constexpr int64_t kLeastThreadRows =
    8;  // rows per thread; with fewer, loading the weights dominates
constexpr int64_t kTile = 16;

thread_local std::vector<float> scratch;

std::span<float> RowsOf(std::vector<float>& values, Range rows, int64_t width) {
  return std::span(values).subspan(rows.first * width, rows.count * width);
}

}  // namespace

CpuMlp::CpuMlp(const std::vector<int64_t>& sizes, Activation activation)
    : activation_(activation),
      outputs_(sizes.size() - 1),
      by_outputs_(sizes.size() - 2),
      turned_(sizes.size() - 1) {
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
  DRAY_CHECK_EQ(std::ssize(input.numbers), input.rows * part.in);
  return part;
}

void CpuMlp::AddFirstLayer(std::span<const float> parameters, const CpuInput& input, Range rows,
                           float* to) const {
  const LinearPart part = NumbersPart(input);
  const size_t width = part.out;
  if (!input.bag_sums.empty()) {
    DRAY_CHECK_EQ(input.bag_sums.size(), input.rows * width);
    const float* sums = input.bag_sums.data() + rows.first * part.out;
    for (int64_t i = 0; i < rows.count * part.out; ++i) to[i] += sums[i];
  } else if (input.bags.width > 0) {
    for (int64_t i = 0; i < rows.count; ++i) {
      AddTableRows(parameters.data(), input.bags[rows.first + i], {to + i * part.out, width});
    }
  }
  AddProduct(rows.count, part.out, part.in,
             {input.numbers.data() + rows.first * part.in, part.in, 1},
             parameters.data() + part.start, to);
}

void CpuMlp::ForwardRows(std::span<const float> parameters, const CpuInput& input, Range rows) {
  for (size_t i = 0; i < layers_.size(); ++i) {
    const LinearPart& layer = layers_[i];
    const std::span<float> to = RowsOf(outputs_[i], rows, layer.out);
    if (i == 0) {
      WriteBiases(layer, parameters.data(), rows.count, to.data());
      AddFirstLayer(parameters, input, rows, to.data());
    } else {
      ApplyLinear(layer, parameters.data(), rows.count,
                  RowsOf(outputs_[i - 1], rows, layer.in).data(), to.data());
    }
    if (i + 1 < layers_.size()) activation_ == TANH ? Tanh(to) : Relu(to);
  }
}

std::span<float> CpuMlp::Forward(std::span<const float> parameters, const CpuInput& input,
                                 ThreadTeam& team) {
  DRAY_CHECK_EQ(parameters.size(), parameter_count());
  for (size_t i = 0; i < layers_.size(); ++i) {
    outputs_[i].resize(input.rows * layers_[i].out);
  }
  const int parts = PartsOf(input.rows, kLeastThreadRows, team.threads());
  team.For(parts, [&](int part) {
    ForwardRows(parameters, input, PartOf(input.rows, part, parts, /*unit=*/1));
  });
  return outputs_.back();
}

void CpuMlp::ListNamingRows(const BagRows& bags, int64_t rows) {
  naming_end_.assign(bags.width, 0);
  for (int64_t i = 0; i < rows; ++i) {
    for (const int32_t index : bags[i]) ++naming_end_[index];
  }
  int32_t total = 0;
  for (int32_t& end : naming_end_) end = std::exchange(total, total + end);
  naming_rows_.resize(total);
  for (int64_t i = 0; i < rows; ++i) {
    for (const int32_t index : bags[i]) {
      const int32_t at = naming_end_[index]++;
      naming_rows_[at] = i;
    }
  }
}

void CpuMlp::WriteBagGradients(Range indices, const float* by_outputs, float* weight_gradients) {
  const size_t width = layers_[0].out;
  const size_t first = indices.first, end = first + indices.count;
  int32_t start = first == 0 ? 0 : naming_end_[first - 1];
  for (size_t index = first; index < end; ++index) {
    const std::span<float> row(weight_gradients + index * width, width);
    const bool named = naming_end_[index] > start;
    if (named || is_named_[index]) std::ranges::fill(row, 0.0f);
    if (named) {
      AddTableRows(by_outputs, std::span(naming_rows_).subspan(start, naming_end_[index] - start),
                   row);
    }
    is_named_[index] = named;
    start = naming_end_[index];
  }
}

const float* CpuMlp::ByOutputs(size_t layer, std::span<const float> output_gradients) const {
  return layer + 1 == layers_.size() ? output_gradients.data() : by_outputs_[layer].data();
}

void CpuMlp::TurnWeights(const float* parameters, int part, int parts) {
  for (size_t i = 1; i < layers_.size(); ++i) {
    const LinearPart& layer = layers_[i];
    const Range inputs = PartOf(layer.in, part, parts, kTile);
    Transpose(inputs.count, layer.out, parameters + layer.start + inputs.first * layer.out,
              layer.out, turned_[i].data() + inputs.first, layer.in);
  }
}

void CpuMlp::BackwardRows(std::span<const float> output_gradients, Range rows) {
  for (size_t i = layers_.size(); i-- > 1;) {
    const LinearPart& layer = layers_[i];
    const std::span<float> by_inputs = RowsOf(by_outputs_[i - 1], rows, layer.in);
    std::ranges::fill(by_inputs, 0.0f);
    AddProduct(rows.count, layer.in, layer.out,
               {ByOutputs(i, output_gradients) + rows.first * layer.out, layer.out, 1},
               turned_[i].data(), by_inputs.data());
    const std::span<const float> inputs = RowsOf(outputs_[i - 1], rows, layer.in);
    activation_ == TANH ? TanhGradient(inputs, by_inputs) : ReluGradient(inputs, by_inputs);
  }
}

void CpuMlp::WriteGradients(const CpuInput& input, std::span<const float> output_gradients,
                            int part, int parts, float* parameter_gradients) {
  for (size_t i = 0; i < layers_.size(); ++i) {
    const LinearPart layer = i == 0 ? NumbersPart(input) : layers_[i];
    const float* from = i == 0 ? input.numbers.data() : outputs_[i - 1].data();
    const float* by_to = ByOutputs(i, output_gradients);
    WriteWeightGradients(layer, PartOf(layer.in, part, parts, kTile), input.rows, from, by_to,
                         parameter_gradients, scratch);
    if (part == static_cast<int>(i) % parts) {
      WriteBiasGradients(layer, input.rows, by_to, parameter_gradients);
    }
  }
  if (input.bags.width > 0) {
    WriteBagGradients(PartOf(input.bags.width, part, parts, /*unit=*/1),
                      ByOutputs(0, output_gradients), parameter_gradients);
  }
}

void CpuMlp::Backward(std::span<const float> parameters, const CpuInput& input,
                      std::span<const float> output_gradients, std::span<float> parameter_gradients,
                      ThreadTeam& team) {
  DRAY_CHECK_EQ(parameters.size(), parameter_gradients.size());
  for (size_t i = 1; i < layers_.size(); ++i) {
    by_outputs_[i - 1].resize(outputs_[i - 1].size());
    turned_[i].resize(layers_[i].in * layers_[i].out);
  }
  is_named_.resize(input.bags.width);
  const int parts = team.threads(),
            row_parts = PartsOf(input.rows, kLeastThreadRows, team.threads());
  team.For(parts, [&](int part) {
    if (part == parts - 1 && input.bags.width > 0) ListNamingRows(input.bags, input.rows);
    TurnWeights(parameters.data(), part, parts);
  });
  team.For(row_parts, [&](int part) {
    BackwardRows(output_gradients, PartOf(input.rows, part, row_parts, /*unit=*/1));
  });
  team.For(parts, [&](int part) {
    WriteGradients(input, output_gradients, part, parts, parameter_gradients.data());
  });
}

void CpuMlp::InputGradients(std::span<const float> parameters, std::span<float> input_gradients) {
  const LinearPart& first = layers_[0];
  const auto rows = std::ssize(by_outputs_[0]) / first.out;
  DRAY_CHECK_EQ(std::ssize(input_gradients), rows * first.in);
  std::ranges::fill(input_gradients, 0.0f);
  AddByInputs(first, parameters.data(), rows, by_outputs_[0].data(), input_gradients.data(),
              scratch);
}

}  // namespace dray
