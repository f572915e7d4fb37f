#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dray {

// The sequence net is an attention model that chooses the order in which the requests of a problem
// are inserted. Exact cheapest insertion then places them, so every plan is feasible.
//
// Encoder, once per problem: a token per request, layers of attention and a perceptron, a norm
// before each (root mean square). A small perceptron turns the pair features of two requests, both
// directions, into a bias of every attention score.
//
// Decoder, once per pick: a query = graph + last picked + mean of the picked; a glimpse of `heads`
// heads at the remaining requests; then one score for each of them, (glimpse + query) . key, plus
// the pair biases of the last picked request and, summed, of all picked ones. All of this is linear
// in per-request tables made by the encoder, so a pick multiplies no matrices, and none of it
// depends on routes, so sequences are decoded without looking at a plan.

// Sizes of a sequence net.
struct SequenceNetShape {
  int32_t dim = 128;         // size of a request's embedding
  int32_t layers = 3;        // encoder layers
  int32_t heads = 8;         // dim is a multiple of 8 * heads
  int32_t hidden = 512;      // units of a layer's perceptron
  int32_t pair_hidden = 16;  // units of the perceptron from pair features to attention biases

  bool operator==(const SequenceNetShape&) const = default;

  int head_dim() const { return dim / heads; }
  // Number of biases per pair of requests: one per layer and head of the encoder, one per head of
  // the decoder's glimpse, and two for its choice (last request, all picked ones).
  int pair_outputs() const { return layers * heads + heads + 2; }
  // Returns text such as "128 dims, 3 layers of 8 heads".
  std::string Describe() const;
};

// Location of a row-major matrix or a vector (rows = 1) in the flat parameters.
struct ParameterSlot {
  int64_t start = 0;
  int64_t rows = 0;
  int64_t columns = 0;

  int64_t size() const { return rows * columns; }
};

// All parameters of a sequence net in one flat array, in this order. Products are input times
// matrix.
struct SequenceNetLayout {
  struct Layer {
    ParameterSlot attention_gain;  // gain of the norm before it
    ParameterSlot qkv;             // [dim, 3 dim]: queries, keys, values
    ParameterSlot attention_out;   // [dim, dim]
    ParameterSlot hidden_gain;
    ParameterSlot hidden, hidden_bias;
    ParameterSlot out, out_bias;
  };

  explicit SequenceNetLayout(const SequenceNetShape& shape);

  // All slots, in order.
  std::vector<ParameterSlot> Slots() const;

  ParameterSlot token, token_bias;        // request features to embeddings
  ParameterSlot pair, pair_bias;          // pair features, both directions, to pair_hidden
  ParameterSlot pair_out, pair_out_bias;  // pair_hidden to pair_outputs
  std::vector<Layer> layers;
  ParameterSlot final_gain;
  ParameterSlot nodes;  // [dim, 5 dim]: glimpse keys and values, choice keys, query of the last
                        // request, query of the mean of the picked ones
  ParameterSlot graph;  // [dim, dim]: query of the mean of all
  ParameterSlot first;  // [dim]: query of the last request when there is none
  int64_t count = 0;
};

// Scores are clipped to kLogitClip * tanh(...).
inline constexpr float kLogitClip = 10;
// Added under the root of a norm.
inline constexpr float kNormEpsilon = 1e-5f;

}  // namespace dray
