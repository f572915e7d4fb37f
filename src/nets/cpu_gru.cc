#include "src/nets/cpu_gru.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/nets/kernels.h"

namespace dray {
namespace {

constexpr int64_t kLeastSequences = 8;  // worth a thread
constexpr int64_t kTileOfInputs = 16;

thread_local std::vector<float> recalled_scratch, memory_scratch, transposed_scratch;

// sigmoid(x) = (tanh(x / 2) + 1) / 2
void Sigmoid(std::span<float> values) {
  for (float& value : values) value *= 0.5f;
  Tanh(values);
  for (float& value : values) value = 0.5f * value + 0.5f;
}

}  // namespace

void CpuGru::Remember(std::span<const float> parameters, const CpuInput& input, Range sequences,
                      int64_t step, std::vector<float>& recalled) {
  const int64_t memory = shape_.memory(), seen = shape_.seen(), steps = input.sequence;
  const int64_t first = sequences.first * steps + step;
  for (int64_t i = 0; i < sequences.count; ++i) {
    const int64_t row = first + i * steps;
    const float* numbers = input.numbers.data() + row * shape_.row() + seen;
    const float* before = step == 0 ? numbers : after_.data() + (row - 1) * memory;
    const float goes_on = 1 - numbers[memory];
    for (int64_t k = 0; k < memory; ++k) before_[row * memory + k] = goes_on * before[k];
  }
  recalled.resize(sequences.count * 3 * memory);
  WriteBiases(shape_.recall, parameters.data(), sequences.count, recalled.data());
  AddProduct(sequences.count, 3 * memory, memory,
             {before_.data() + first * memory, steps * memory, 1},
             parameters.data() + shape_.recall.start, recalled.data());
  const size_t two_gates = 2 * memory, one_gate = memory;
  for (int64_t i = 0; i < sequences.count; ++i) {
    const int64_t row = first + i * steps;
    float* gates = gates_.data() + row * 3 * memory;
    const float* from = recalled.data() + i * 3 * memory;
    for (int64_t k = 0; k < 2 * memory; ++k) gates[k] += from[k];
    Sigmoid({gates, two_gates});
    const float *reset = gates, *update = gates + memory, *pull = from + 2 * memory;
    float* candidate = gates + 2 * memory;
    for (int64_t k = 0; k < memory; ++k) candidate[k] += reset[k] * pull[k];
    Tanh({candidate, one_gate});
    std::copy_n(pull, memory, pulls_.data() + row * memory);
    const float* before = before_.data() + row * memory;
    float* after = after_.data() + row * memory;
    for (int64_t k = 0; k < memory; ++k) {
      after[k] = candidate[k] + update[k] * (before[k] - candidate[k]);
    }
  }
}

std::span<float> CpuGru::Forward(std::span<const float> parameters, const CpuInput& input,
                                 ThreadTeam& team) {
  DRAY_CHECK_EQ(parameters.size(), parameter_count());
  DRAY_CHECK_EQ(std::ssize(input.numbers), input.rows * shape_.row());
  DRAY_CHECK_EQ(input.rows % input.sequence, 0);
  const int64_t memory = shape_.memory(), seen = shape_.seen(), both = seen + memory;
  seen_.resize(input.rows * seen);
  gates_.resize(input.rows * 3 * memory);
  for (auto* values : {&before_, &pulls_, &after_}) values->resize(input.rows * memory);
  head_input_.resize(input.rows * both);
  const int64_t sequences = input.rows / input.sequence;
  const int parts = PartsOf(sequences, kLeastSequences, team.threads());
  team.For(parts, [&](int part) {
    const Range range = PartOf(sequences, part, parts, /*unit=*/1);
    const int64_t first = range.first * input.sequence, rows = range.count * input.sequence;
    for (int64_t row = first; row < first + rows; ++row) {
      std::copy_n(input.numbers.data() + row * shape_.row(), seen, seen_.data() + row * seen);
    }
    ApplyLinear(shape_.look, parameters.data(), rows, seen_.data() + first * seen,
                gates_.data() + first * 3 * memory);
    for (int64_t step = 0; step < input.sequence; ++step) {
      Remember(parameters, input, range, step, recalled_scratch);
    }
    for (int64_t row = first; row < first + rows; ++row) {
      float* to = head_input_.data() + row * both;
      std::copy_n(after_.data() + row * memory, memory,
                  std::copy_n(seen_.data() + row * seen, seen, to));
    }
  });
  return head_.Forward(parameters.subspan(shape_.head_start()),
                       {.rows = input.rows, .numbers = head_input_}, team);
}

// Goes back from a step's memory to the one before: `by_memory` [sequences, memory] are the
// gradients with respect to what the later step started with, then to what this one did.
void CpuGru::Recall(Range sequences, int64_t steps, int64_t step, std::vector<float>& by_memory) {
  const int64_t memory = shape_.memory(), seen = shape_.seen();
  const int64_t first = sequences.first * steps + step;
  for (int64_t i = 0; i < sequences.count; ++i) {
    const int64_t row = first + i * steps;
    const float* by_head = by_input_.data() + row * (seen + memory) + seen;
    const float* gates = gates_.data() + row * 3 * memory;
    const float *before = before_.data() + row * memory, *pull = pulls_.data() + row * memory;
    float* by_looked = by_looked_.data() + row * 3 * memory;
    float* by_recalled = by_recalled_.data() + row * 3 * memory;
    float* by_before = by_memory.data() + i * memory;
    for (int64_t k = 0; k < memory; ++k) {
      const float reset = gates[k], update = gates[memory + k], candidate = gates[2 * memory + k];
      const float by_after = by_head[k] + by_before[k];
      const float by_candidate = by_after * (1 - update) * (1 - candidate * candidate);
      const float by_reset = by_candidate * pull[k] * reset * (1 - reset);
      const float by_update = by_after * (before[k] - candidate) * update * (1 - update);
      by_looked[k] = by_recalled[k] = by_reset;
      by_looked[memory + k] = by_recalled[memory + k] = by_update;
      by_looked[2 * memory + k] = by_candidate;
      by_recalled[2 * memory + k] = by_candidate * reset;
      by_before[k] = by_after * update;
    }
  }
  AddProduct(sequences.count, memory, 3 * memory,
             {by_recalled_.data() + first * 3 * memory, steps * 3 * memory, 1}, turned_.data(),
             by_memory.data());
}

void CpuGru::Backward(std::span<const float> parameters, const CpuInput& input,
                      std::span<const float> output_gradients, std::span<float> parameter_gradients,
                      ThreadTeam& team) {
  DRAY_CHECK_EQ(parameters.size(), parameter_gradients.size());
  const int64_t memory = shape_.memory(), steps = input.sequence;
  const auto head = parameters.subspan(shape_.head_start());
  head_.Backward(head, {.rows = input.rows, .numbers = head_input_}, output_gradients,
                 parameter_gradients.subspan(shape_.head_start()), team);
  by_input_.resize(head_input_.size());
  head_.InputGradients(head, by_input_);
  by_looked_.resize(gates_.size());
  by_recalled_.resize(gates_.size());
  turned_.resize(3 * memory * memory);
  Transpose(memory, 3 * memory, parameters.data() + shape_.recall.start, turned_.data());
  const int64_t sequences = input.rows / steps;
  const int parts = PartsOf(sequences, kLeastSequences, team.threads());
  team.For(parts, [&](int part) {
    const Range range = PartOf(sequences, part, parts, /*unit=*/1);
    std::vector<float>& by_memory = memory_scratch;
    by_memory.assign(range.count * memory, 0.0f);
    for (int64_t step = steps; step-- > 0;) {
      Recall(range, steps, step, by_memory);
      for (int64_t i = 0; i < range.count; ++i) {
        const int64_t row = (range.first + i) * steps + step;
        const float goes_on = 1 - input.numbers[(row + 1) * shape_.row() - 1];
        for (int64_t k = 0; k < memory; ++k) by_memory[i * memory + k] *= goes_on;
      }
    }
  });
  const int all = team.threads();
  team.For(all, [&](int part) {
    const auto write = [&](const LinearPart& layer, const float* from, const float* by_to) {
      WriteWeightGradients(layer, PartOf(layer.in, part, all, kTileOfInputs), input.rows, from,
                           by_to, parameter_gradients.data(), transposed_scratch);
      if (part == 0) WriteBiasGradients(layer, input.rows, by_to, parameter_gradients.data());
    };
    write(shape_.look, seen_.data(), by_looked_.data());
    write(shape_.recall, before_.data(), by_recalled_.data());
  });
}

}  // namespace dray
