#pragma once

#include <cstdint>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/nets/linear.h"

namespace dray {

// Structure of an actor with a gated recurrent unit, and the layout of its parameters:
//
//   reset, update = sigmoid(look(seen) + recall(before))
//   candidate     = tanh(look(seen) + reset * recall(before))
//   after         = update * before + (1 - update) * candidate
//   outputs       = hidden layers over [seen, after]
//
// `look` and `recall` each give three vectors, in this order. Rows are as in memory.h.
struct GruShape {
  // Takes the spec of WithMemory.
  GruShape(const EnvSpec& spec, const NetworkConfig& config);

  int64_t row() const { return seen() + memory() + 1; }
  int64_t seen() const { return look.in; }
  int64_t memory() const { return recall.in; }
  // Start of the hidden layers, a perceptron behind look and recall.
  int64_t head_start() const { return recall.end(); }
  int64_t parameter_count() const;

  LinearPart look, recall;
  std::vector<int64_t> head;  // widths of the hidden layers, from input to output
  Activation activation;
};

}  // namespace dray
