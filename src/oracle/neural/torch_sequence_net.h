#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "src/oracle/neural/sequence_net_shape.h"

namespace dray {

// Problems of at most n requests, side by side.
struct RequestBatch {
  at::Tensor tokens;  // [B, n, kTokenFeatures]
  at::Tensor pairs;   // [B, kPairFeatures, n, n]
  at::Tensor absent;  // [B, n]: 0 for a request, kNever for padding; undefined: no padding
};
// Added to the score of what cannot be picked.
inline constexpr float kNever = -1e9f;

// The sequence net in tensor operations, on any device, differentiable by its parameters: the
// definition, which trains, and which a GPU runs. (CpuEncoder and CpuDecoder are the same on plain
// memory.)
class TorchSequenceNet {
 public:
  // Tables by request that the decoder reads.
  struct Encoded {
    at::Tensor keys;         // [B, heads, head_dim, n], for glimpses; scaled
    at::Tensor values;       // [B, heads, n, head_dim]
    at::Tensor choice_keys;  // [B, dim, n]; scaled
    at::Tensor queries;      // [B, n, 2 dim]: as the last request, as one of the picked
    at::Tensor graph;        // [B, 1, dim]
    at::Tensor first;        // [dim]
    at::Tensor pair_rows;    // [B, n, (heads + 2) n]: biases by last or picked request
    at::Tensor absent;       // as in RequestBatch
  };

  // `parameters` is the flat array of SequenceNetLayout, kept by reference.
  TorchSequenceNet(const SequenceNetShape& shape, at::Tensor parameters);

  Encoded Encode(const RequestBatch& batch) const;

  // Whole sequences picked at random by the net's probabilities: [B, starts, n]. Of the starts,
  // those with firsts[b, s] >= 0 ([B, starts], whole numbers) begin with that request. No padding.
  at::Tensor Sample(const Encoded& encoded, const at::Tensor& firsts) const;

  // The most probable sequence, then the others that begin with another request, the most probable
  // first; when all requests have been first, sequences drawn at random by noise [starts, n, n]
  // (start, pick, request; Gumbel): [B, starts, n]. What follows a problem's last request in its
  // sequences means nothing. `requests` [B, 1]: how many a problem has.
  at::Tensor MultiStart(const Encoded& encoded, int64_t starts, const at::Tensor& requests,
                        const at::Tensor& noise) const;

  // Log-probabilities of every pick of sequences [B, starts, n], all picks in one pass. No padding.
  at::Tensor LogProbs(const Encoded& encoded, const at::Tensor& sequences) const;

 private:
  SequenceNetShape shape_;
  SequenceNetLayout layout_;
  std::vector<int64_t> sizes_;  // of the slots
  at::Tensor parameters_;
};

}  // namespace dray
