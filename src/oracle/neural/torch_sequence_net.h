#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "src/oracle/neural/sequence_net_shape.h"

namespace dray {

// Batch of problems of at most n requests each.
struct RequestBatch {
  at::Tensor tokens;  // [B, n, kTokenFeatures]
  at::Tensor pairs;   // [B, kPairFeatures, n, n]
  at::Tensor absent;  // [B, n]: 0 for a request, kNever for padding; undefined: no padding
};
// Added to the scores of requests that cannot be picked.
inline constexpr float kNever = -1e9f;

// The sequence net in tensor operations: the reference implementation. Runs on any device and is
// differentiable in its parameters; used for training and on GPUs. CpuEncoder and CpuDecoder do the
// same on plain memory.
class TorchSequenceNet {
 public:
  // Tables of requests read by the decoder.
  struct Encoded {
    at::Tensor keys;         // [B, heads, head_dim, n], for glimpses; scaled
    at::Tensor values;       // [B, heads, n, head_dim]
    at::Tensor choice_keys;  // [B, dim, n]; scaled
    at::Tensor queries;      // [B, n, 2 dim]: as the last request, as one of the picked
    at::Tensor graph;        // [B, 1, dim]
    at::Tensor first;        // [dim]
    at::Tensor pair_rows;    // [B, n, (heads + 2) n]: biases by last or picked request
    at::Tensor absent;       // see RequestBatch
  };

  // `parameters` is the flat array of SequenceNetLayout, kept by reference.
  TorchSequenceNet(const SequenceNetShape& shape, at::Tensor parameters);

  Encoded Encode(const RequestBatch& batch) const;

  // Samples whole sequences by the net's probabilities: [B, starts, n]. Starts with firsts[b, s] >=
  // 0 (integers [B, starts]) begin with that request. Padding is not supported.
  at::Tensor Sample(const Encoded& encoded, const at::Tensor& firsts) const;

  // Returns [B, starts, n]: the most probable sequence, then those that begin with another request,
  // most probable first; once all requests have been first, random ones by the Gumbel noise
  // [starts, n, n] (start, pick, request). `requests` [B, 1] is the number of requests per problem;
  // entries after it are meaningless.
  at::Tensor MultiStart(const Encoded& encoded, int64_t starts, const at::Tensor& requests,
                        const at::Tensor& noise) const;

  // Returns the log-probability of every pick of sequences [B, starts, n], computed in one pass.
  // Padding is not supported.
  at::Tensor LogProbs(const Encoded& encoded, const at::Tensor& sequences) const;

 private:
  SequenceNetShape shape_;
  SequenceNetLayout layout_;
  std::vector<int64_t> sizes_;  // slot sizes
  at::Tensor parameters_;
};

}  // namespace dray
