#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/oracle/neural/sequence_net_shape.h"

namespace dray {

// Trained parameters of a sequence net, laid out as in SequenceNetLayout.
struct SequenceWeights {
  SequenceNetShape shape;
  // Number of requests of the largest training problem.
  int32_t most_requests = 30;
  std::vector<float> values;
};

// Returns small random weights.
SequenceWeights RandomSequenceWeights(const SequenceNetShape& shape, uint64_t seed);

// Returns the weights compiled into the library: src/oracle/weights/pairs_30.bin.
const SequenceWeights& ShippedSequenceWeights();

// Reads and writes weight files: a name and version, the shape, the numbers, a checksum. Throws a
// usage Error of one line that names the file if it is missing, damaged, of another version or for
// other features.
SequenceWeights ReadSequenceWeights(const std::string& path);
SequenceWeights ParseSequenceWeights(std::string_view bytes, const std::string& what);
void WriteSequenceWeights(const SequenceWeights& weights, const std::string& path);
std::string SequenceWeightsBytes(const SequenceWeights& weights);

}  // namespace dray
