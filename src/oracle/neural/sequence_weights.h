#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/oracle/neural/sequence_net_shape.h"

namespace dray {

// The trained numbers of a sequence net, as SequenceNetLayout arranges them.
struct SequenceWeights {
  SequenceNetShape shape;
  // The largest problem of the training, in requests.
  int32_t most_requests = 30;
  std::vector<float> values;
};

// Small random weights.
SequenceWeights RandomSequenceWeights(const SequenceNetShape& shape, uint64_t seed);

// Compiled into the library: src/oracle/weights/pairs_30.bin.
const SequenceWeights& ShippedSequenceWeights();

// A file of weights: a name and version, the shape, the numbers, a checksum. One that is missing,
// damaged, of another version or for other features is an Error of one line that names it (usage:
// the user named the file).
SequenceWeights ReadSequenceWeights(const std::string& path);
SequenceWeights ParseSequenceWeights(std::string_view bytes, const std::string& what);
void WriteSequenceWeights(const SequenceWeights& weights, const std::string& path);
std::string SequenceWeightsBytes(const SequenceWeights& weights);

}  // namespace dray
