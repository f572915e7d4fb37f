#pragma once

#include <ATen/core/Tensor.h>

#include "src/oracle/neural/torch_sequence_net.h"

namespace dray {

// Picks requests one by one, for all starts of all problems at once.
class TorchSequenceDecoder {
 public:
  // `encoded` must outlive this object.
  TorchSequenceDecoder(const SequenceNetShape& shape, const TorchSequenceNet::Encoded& encoded,
                       int64_t starts);

  // Returns [B, starts, n], before clipping; about kNever for picked and absent requests.
  at::Tensor Scores() const;
  // Returns scores whose softmax is the pick probability; kNever for requests that cannot be
  // picked.
  static at::Tensor Clipped(const at::Tensor& scores);

  // Picks `choice`: integers [B, starts].
  void Pick(const at::Tensor& choice);

  // Returns the requests in the order they were picked: [B, starts, n].
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
  at::Tensor rows_;       // [B, starts, heads + 2, n]: biases of the last
  at::Tensor query_;      // [B, starts, dim]
};

}  // namespace dray
