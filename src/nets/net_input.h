#pragma once

#include <ATen/core/Tensor.h>

namespace dray {

// Bags of indices, one after the other in memory that many batches share: bag b has
// indices[offsets[b]] ... indices[offsets[b + 1] - 1]. A batch names the bag of each of its rows,
// so that shuffling moves row numbers alone.
struct Bags {
  at::Tensor offsets;  // int32 [bags + 1]
  at::Tensor indices;  // int32
  at::Tensor rows;     // int64 [rows]: whose bag

  bool defined() const { return rows.defined(); }
};

// What a batch of rows brings to a network: [counts of the bag, numbers] per row.
struct NetInput {
  NetInput() = default;
  NetInput(at::Tensor numbers, Bags bags = {})
      : numbers(std::move(numbers)), bags(std::move(bags)) {}

  int64_t rows() const { return numbers.size(0); }
  NetInput Slice(int64_t start, int64_t length) const;

  at::Tensor numbers;  // [rows, numbers]
  Bags bags;           // undefined: there are none
};

// The bags of a batch's rows, brought together; undefined when there are none.
struct PickedBags {
  explicit PickedBags(const Bags& bags);

  bool defined() const { return indices.defined(); }

  at::Tensor indices;  // int64, row after row
  at::Tensor starts;   // int64 [rows]: where in `indices` a row begins
  at::Tensor row_of;   // int64: whose index it is
};

}  // namespace dray
