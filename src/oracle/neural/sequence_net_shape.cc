#include "src/oracle/neural/sequence_net_shape.h"

#include "src/base/error.h"
#include "src/oracle/neural/request_features.h"

namespace dray {

std::string SequenceNetShape::Describe() const {
  return Cat(dim, " dims, ", layers, " layers of ", heads, " heads, ", hidden, " hidden, ",
             pair_hidden, " for pairs");
}

SequenceNetLayout::SequenceNetLayout(const SequenceNetShape& shape) {
  const auto take = [this](int64_t rows, int64_t columns) {
    const ParameterSlot slot{count, rows, columns};
    count += slot.size();
    return slot;
  };
  const int64_t dim = shape.dim;
  token = take(kTokenFeatures, dim);
  token_bias = take(1, dim);
  pair = take(2 * kPairFeatures, shape.pair_hidden);
  pair_bias = take(1, shape.pair_hidden);
  pair_out = take(shape.pair_hidden, shape.pair_outputs());
  pair_out_bias = take(1, shape.pair_outputs());
  layers.resize(shape.layers);
  for (Layer& layer : layers) {
    layer.attention_gain = take(1, dim);
    layer.qkv = take(dim, 3 * dim);
    layer.attention_out = take(dim, dim);
    layer.hidden_gain = take(1, dim);
    layer.hidden = take(dim, shape.hidden);
    layer.hidden_bias = take(1, shape.hidden);
    layer.out = take(shape.hidden, dim);
    layer.out_bias = take(1, dim);
  }
  final_gain = take(1, dim);
  nodes = take(dim, 5 * dim);
  graph = take(dim, dim);
  first = take(1, dim);
}

std::vector<ParameterSlot> SequenceNetLayout::Slots() const {
  std::vector<ParameterSlot> slots = {token, token_bias, pair, pair_bias, pair_out, pair_out_bias};
  for (const Layer& layer : layers) {
    slots.insert(slots.end(),
                 {layer.attention_gain, layer.qkv, layer.attention_out, layer.hidden_gain,
                  layer.hidden, layer.hidden_bias, layer.out, layer.out_bias});
  }
  slots.insert(slots.end(), {final_gain, nodes, graph, first});
  return slots;
}

}  // namespace dray
