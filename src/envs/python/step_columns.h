#pragma once

#include <cstdint>
#include <span>

#include "src/base/json_fwd.h"
#include "src/env/env.h"

namespace dray {

// Layout of the memory that a worker shares with the engine: one column after the other, each with
// a row for every environment of the worker.
class StepColumns {
 public:
  StepColumns(const EnvSpec& spec, int rows);

  size_t bytes() const { return bytes_; }
  // Returns the offset of each column by name, for the worker.
  Json Offsets() const;
  // Points the spans below into `memory`, which has at least bytes().
  void Bind(std::span<std::byte> memory);

  std::span<int32_t> at = {};              // one number: the row being stepped
  std::span<int32_t> action_indices = {};  // [rows], or empty
  std::span<float> action_values = {};     // [rows, values], or empty
  std::span<float> observations = {};
  std::span<float> final_observations = {};
  std::span<uint8_t> masks = {};
  std::span<float> rewards = {};
  std::span<uint8_t> terminated = {};
  std::span<uint8_t> truncated = {};
  std::span<double> stats = {};

 private:
  // Calls visit(name, span, count) for each column.
  template <typename Visit>
  void ForEach(const Visit& visit);

  const EnvSpec& spec_;
  const size_t rows_;
  size_t bytes_ = 0;
};

}  // namespace dray
