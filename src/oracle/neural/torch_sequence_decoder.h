#pragma once

#include <ATen/core/Tensor.h>

#include "src/oracle/neural/torch_sequence_net.h"

namespace dray {

// Picks requests one after the other, for all starts of all problems at once.
class TorchSequenceDecoder {
 public:
  // `encoded` must outlive it.
  TorchSequenceDecoder(const SequenceNetShape& shape, const TorchSequenceNet::Encoded& encoded,
                       int64_t starts);

  // [B, starts, n], before clipping; what is picked or absent has about kNever.
  at::Tensor Scores() const;
  // Scores whose softmax is the probability of a pick; those of what cannot be picked are kNever.
  static at::Tensor Clipped(const at::Tensor& scores);

  // [B, starts] whole numbers.
  void Pick(const at::Tensor& choice);

  // [B, starts, n]: the requests as they were picked.
  at::Tensor sequences() const;

 private:
  const TorchSequenceNet::Encoded& encoded_;
  int64_t problems_;
  int64_t starts_;
  int64_t n_;
  int64_t dim_;
  int64_t heads_;
  int64_t head_dim_;
  int64_t step_ = 0;
  at::Tensor sequences_;  // [n, B, starts]
  at::Tensor mask_;       // [B, starts, n]
  at::Tensor picked_;     // [B, starts, dim]: sum over the picked
  at::Tensor sums_;       // [B, starts, n]: sum of biases over the picked
  at::Tensor rows_;       // [B, starts, heads + 2, n]: biases by the last
  at::Tensor query_;      // [B, starts, dim]
};

}  // namespace dray
