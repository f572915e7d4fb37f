#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/oracle/neural/order_net_shape.h"

namespace dray {

// The trained numbers of an order net, as OrderNetLayout arranges them.
struct OrderWeights {
  OrderNetShape shape;
  // The largest problem of the training, in requests.
  int32_t most_requests = 30;
  std::vector<float> values;
};

// Small random weights.
OrderWeights RandomOrderWeights(const OrderNetShape& shape, uint64_t seed);

// Compiled into the library: src/oracle/weights/pairs_30.bin.
const OrderWeights& ShippedOrderWeights();

// A file of weights: a name and version, the shape, the numbers, a checksum. One that is missing,
// damaged, of another version or for other features is an Error of one line that names it (usage:
// the user named the file).
OrderWeights ReadOrderWeights(const std::string& path);
OrderWeights ParseOrderWeights(std::string_view bytes, const std::string& what);
void WriteOrderWeights(const OrderWeights& weights, const std::string& path);
std::string OrderWeightsBytes(const OrderWeights& weights);

}  // namespace dray
