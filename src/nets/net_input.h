#pragma once

#include <ATen/core/Tensor.h>

namespace dray {

// Bags of indices, one after the other in memory that many batches share: bag b contains
// indices[offsets[b]] ... indices[offsets[b + 1] - 1]. A batch refers to the bag of each of its
// rows, so shuffling only moves row numbers.
struct Bags {
  at::Tensor offsets;  // int32 [bags + 1]
  at::Tensor indices;  // int32
  at::Tensor rows;     // int64 [rows]: bag of each row

  bool defined() const { return rows.defined(); }
};

// Input of a network: [counts of the bag, numbers] per row.
struct NetInput {
  NetInput() = default;
  NetInput(at::Tensor numbers, Bags bags = {})
      : numbers(std::move(numbers)), bags(std::move(bags)) {}

  int64_t rows() const { return numbers.size(0); }
  NetInput Slice(int64_t start, int64_t length) const;

  at::Tensor numbers;  // [rows, numbers]
  Bags bags;           // undefined: no bags
  // Rows are whole sequences of this many steps, which a network with memory goes through in order.
  int64_t sequence = 1;
};

// The bags of a batch's rows, gathered; undefined if there are none.
struct PickedBags {
  explicit PickedBags(const Bags& bags);

  bool defined() const { return indices.defined(); }

  at::Tensor indices;  // int64, row after row
  at::Tensor starts;   // int64 [rows]: start of each row in `indices`
  at::Tensor row_of;   // int64: row of each index
};

}  // namespace dray
