#include "src/nets/cpu_attention.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/nets/range.h"

namespace dray {
namespace {

constexpr int64_t kLeastBlockRows = 32;  // minimum rows of a block
constexpr int64_t kMostBlocks = 16;

template <typename T>
std::span<T> RowsOf(std::span<T> values, Range rows, int64_t all) {
  const int64_t width = std::ssize(values) / all;
  return values.subspan(rows.first * width, rows.count * width);
}

CpuInput RowsOf(const CpuInput& input, Range rows) {
  return {.rows = rows.count, .numbers = RowsOf(input.numbers, rows, input.rows)};
}

}  // namespace

CpuAttention::CpuAttention(const AttentionShape& shape)
    : shape_(shape), blocks_(1, {AttentionRows(shape), {}}) {}

std::span<float> CpuAttention::Forward(std::span<const float> parameters, const CpuInput& input,
                                       ThreadTeam& team) {
  const int blocks = PartsOf(input.rows, kLeastBlockRows, kMostBlocks);
  while (std::ssize(blocks_) < blocks) blocks_.push_back({AttentionRows(shape_), {}});
  outputs_.resize(input.rows * shape_.outputs);
  team.For(blocks, [&](int block) {
    const Range rows = PartOf(input.rows, block, blocks, /*unit=*/1);
    const auto outputs = blocks_[block].rows.Forward(parameters, RowsOf(input, rows));
    std::ranges::copy(outputs, RowsOf(std::span(outputs_), rows, input.rows).begin());
  });
  return outputs_;
}

void CpuAttention::Backward(std::span<const float> parameters, const CpuInput& input,
                            std::span<const float> output_gradients,
                            std::span<float> parameter_gradients, ThreadTeam& team) {
  DRAY_CHECK_EQ(parameters.size(), parameter_gradients.size());
  const int blocks = PartsOf(input.rows, kLeastBlockRows, kMostBlocks);
  team.For(blocks, [&](int i) {
    Block& block = blocks_[i];
    const Range rows = PartOf(input.rows, i, blocks, /*unit=*/1);
    block.gradients.resize(parameters.size());
    block.rows.Backward(parameters, RowsOf(input, rows), RowsOf(output_gradients, rows, input.rows),
                        block.gradients);
  });
  const int parts = team.threads();
  team.For(parts, [&](int part) {
    const Range range = PartOf(std::ssize(parameters), part, parts, /*unit=*/16);
    const auto own = [&](std::span<float> gradients) {
      return gradients.subspan(range.first, range.count);
    };
    const std::span<float> sum = own(parameter_gradients);
    std::ranges::copy(own(blocks_[0].gradients), sum.begin());
    for (int block = 1; block < blocks; ++block) {
      const std::span<const float> more = own(blocks_[block].gradients);
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
    }
  });
}

}  // namespace dray
