#include "src/oracle/neural/torch_sequence_decoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

namespace dray {

TorchSequenceDecoder::TorchSequenceDecoder(const SequenceNetShape& shape,
                                           const TorchSequenceNet::Encoded& encoded, int64_t starts)
    : encoded_(encoded),
      problems_(encoded.queries.size(0)),
      starts_(starts),
      n_(encoded.queries.size(1)),
      dim_(shape.dim),
      heads_(shape.heads),
      head_dim_(shape.head_dim()) {
  const auto options = encoded.queries.options();
  sequences_ = at::empty({n_, problems_, starts_}, options.dtype(at::kLong));
  mask_ = at::zeros({problems_, starts_, n_}, options);
  if (encoded.absent.defined()) mask_ += encoded.absent.unsqueeze(1);
  picked_ = at::zeros({problems_, starts_, dim_}, options);
  sums_ = at::zeros({problems_, starts_, n_}, options);
  query_ = (encoded.graph + encoded.first).expand({problems_, starts_, dim_});
}

at::Tensor TorchSequenceDecoder::Scores() const {
  at::Tensor scores =
      at::matmul(query_.view({problems_, starts_, heads_, head_dim_}).transpose(1, 2),
                 encoded_.keys) +
      mask_.unsqueeze(1);
  if (step_ > 0) scores += rows_.narrow(2, 0, heads_).transpose(1, 2);
  const at::Tensor glimpse = at::matmul(at::softmax(scores, -1), encoded_.values)
                                 .transpose(1, 2)
                                 .reshape({problems_, starts_, dim_});
  at::Tensor choice = at::matmul(glimpse + query_, encoded_.choice_keys) + mask_;
  if (step_ > 0) choice += rows_.select(2, heads_) + sums_;
  return choice;
}

at::Tensor TorchSequenceDecoder::Clipped(const at::Tensor& scores) {
  return at::where(scores > kNever / 2, kLogitClip * scores.tanh(), kNever);
}

void TorchSequenceDecoder::Pick(const at::Tensor& choice) {
  sequences_[step_].copy_(choice);
  const at::Tensor index = choice.unsqueeze(2);
  mask_.scatter_(2, index, kNever);
  const at::Tensor queries = encoded_.queries.gather(1, index.expand({-1, -1, 2 * dim_}));
  picked_ += queries.narrow(2, dim_, dim_);
  rows_ = encoded_.pair_rows.gather(1, index.expand({-1, -1, (heads_ + 2) * n_}))
              .view({problems_, starts_, heads_ + 2, n_});
  sums_ += rows_.select(2, heads_ + 1);
  ++step_;
  query_ = encoded_.graph + queries.narrow(2, 0, dim_) + picked_ / static_cast<double>(step_);
}

at::Tensor TorchSequenceDecoder::sequences() const {
  return sequences_.permute({1, 2, 0}).contiguous();
}

}  // namespace dray
