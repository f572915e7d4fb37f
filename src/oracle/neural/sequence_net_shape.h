#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dray {

// The sequence net is an attention model that says in which order the requests of a problem are
// inserted; exact cheapest insertion then places them, so that every plan is feasible.
//
// Encoder, once per problem: a token per request, layers of attention and a perceptron, a norm
// before each (root mean square). What two requests are to each other (pair features, both
// directions) goes through a small perceptron to a bias of every attention score.
//
// Decoder, once per pick: a query = graph + last picked + mean of the picked; a glimpse of `heads`
// heads at those that are left; then one score for each of them, (glimpse + query) . key, plus what
// the pair perceptron says about the last picked one and, summed, about all picked ones. All of it
// is linear in tables by request that the encoder made, so a pick multiplies no matrices; and none
// of it depends on routes, so sequences are decoded without a look at a plan.

// The sizes of a sequence net.
struct SequenceNetShape {
  int32_t dim = 128;         // of a request's embedding
  int32_t layers = 3;        // of the encoder
  int32_t heads = 8;         // dim is a multiple of 8 * heads
  int32_t hidden = 512;      // of a layer's perceptron
  int32_t pair_hidden = 16;  // of the perceptron that makes attention biases from pair features

  bool operator==(const SequenceNetShape&) const = default;

  int head_dim() const { return dim / heads; }
  // Biases per pair of requests: by layer and head of the encoder, by head of the decoder's
  // glimpse, and two for its choice (against the last request, against all picked ones).
  int pair_outputs() const { return layers * heads + heads + 2; }
  // "128 dims, 3 layers of 8 heads"
  std::string Describe() const;
};

// Where a matrix [rows, columns], row by row, or a vector (rows = 1) begins in the flat parameters.
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
    ParameterSlot attention_gain;  // of the norm before
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
  ParameterSlot pair_out, pair_out_bias;  // to pair_outputs
  std::vector<Layer> layers;
  ParameterSlot final_gain;
  ParameterSlot nodes;  // [dim, 5 dim]: glimpse keys and values, choice keys, query of the last
                        // request, query of the mean of the picked ones
  ParameterSlot graph;  // [dim, dim]: query of the mean of all
  ParameterSlot first;  // [dim]: query of the last request when there is none
  int64_t count = 0;
};

// Choices are made among kLogitClip * tanh(...).
inline constexpr float kLogitClip = 10;
// Under the root of a norm.
inline constexpr float kNormEpsilon = 1e-5f;

}  // namespace dray
