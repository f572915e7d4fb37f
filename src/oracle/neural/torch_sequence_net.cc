#include "src/oracle/neural/torch_sequence_net.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include <cmath>

#include "src/base/error.h"
#include "src/oracle/neural/request_features.h"
#include "src/oracle/neural/torch_sequence_decoder.h"

namespace dray {
namespace {

// Hands out the slots of the flat parameters one after the other, as SequenceNetLayout orders them.
class Parameters {
 public:
  Parameters(const SequenceNetLayout& layout, const std::vector<int64_t>& sizes,
             const at::Tensor& flat)
      : slots_(layout.Slots()), parts_(flat.split_with_sizes(sizes)) {}

  at::Tensor Matrix() {
    const at::Tensor part = parts_[next_];
    const ParameterSlot& slot = slots_[next_++];
    return part.view({slot.rows, slot.columns});
  }
  at::Tensor Vector() { return parts_[next_++]; }

 private:
  std::vector<ParameterSlot> slots_;
  std::vector<at::Tensor> parts_;
  size_t next_ = 0;
};

at::Tensor Norm(const at::Tensor& x, const at::Tensor& gain) {
  return x * at::rsqrt(x.square().mean(-1, /*keepdim=*/true) + kNormEpsilon) * gain;
}

}  // namespace

TorchSequenceNet::TorchSequenceNet(const SequenceNetShape& shape, at::Tensor parameters)
    : shape_(shape), layout_(shape), parameters_(std::move(parameters)) {
  DRAY_CHECK_EQ(parameters_.numel(), layout_.count);
  for (const ParameterSlot& slot : layout_.Slots()) sizes_.push_back(slot.size());
}

TorchSequenceNet::Encoded TorchSequenceNet::Encode(const RequestBatch& batch) const {
  const int64_t problems = batch.tokens.size(0), n = batch.tokens.size(1);
  const int64_t dim = shape_.dim, heads = shape_.heads, head_dim = shape_.head_dim();
  Parameters parameters(layout_, sizes_, parameters_);
  const auto by_head = [&](const at::Tensor& x) {  // [B, n, dim] -> [B, heads, n, head_dim]
    return x.view({problems, n, heads, head_dim}).transpose(1, 2);
  };

  at::Tensor token = parameters.Matrix();
  at::Tensor x = at::matmul(batch.tokens, token) + parameters.Vector();

  at::Tensor pairs = at::cat({batch.pairs, batch.pairs.transpose(2, 3)}, 1);
  pairs = pairs.view({problems, 2 * kPairFeatures, n * n});
  at::Tensor pair = parameters.Matrix();
  at::Tensor pair_hidden = (at::matmul(pair.t(), pairs) + parameters.Vector().unsqueeze(1)).relu();
  at::Tensor pair_out = parameters.Matrix();
  at::Tensor biases = at::matmul(pair_out.t(), pair_hidden) + parameters.Vector().unsqueeze(1);
  biases = biases.view({problems, shape_.pair_outputs(), n, n});

  for (int64_t layer = 0; layer < shape_.layers; ++layer) {
    at::Tensor gain = parameters.Vector();
    at::Tensor qkv = at::matmul(Norm(x, gain), parameters.Matrix());
    const std::vector<at::Tensor> parts = qkv.split(dim, -1);
    at::Tensor scores = at::matmul(by_head(parts[0]), by_head(parts[1]).transpose(2, 3)) /
                            std::sqrt(static_cast<double>(head_dim)) +
                        biases.narrow(1, layer * heads, heads);
    if (batch.absent.defined()) scores = scores + batch.absent.view({problems, 1, 1, n});
    const at::Tensor seen = at::matmul(at::softmax(scores, -1), by_head(parts[2]));
    x = x + at::matmul(seen.transpose(1, 2).reshape({problems, n, dim}), parameters.Matrix());
    gain = parameters.Vector();
    at::Tensor weight = parameters.Matrix();
    at::Tensor hidden = (at::matmul(Norm(x, gain), weight) + parameters.Vector()).relu();
    weight = parameters.Matrix();
    x = x + at::matmul(hidden, weight) + parameters.Vector();
  }
  x = Norm(x, parameters.Vector());

  const std::vector<at::Tensor> nodes =
      at::matmul(x, parameters.Matrix()).split_with_sizes({dim, dim, dim, 2 * dim}, -1);
  at::Tensor mean;
  if (batch.absent.defined()) {
    const at::Tensor here = (batch.absent == 0).to(at::kFloat).unsqueeze(2);
    mean = (x * here).sum(1, true) / here.sum(1, true).clamp_min(1);
  } else {
    mean = x.mean(1, true);
  }
  Encoded encoded;
  encoded.graph = at::matmul(mean, parameters.Matrix());
  encoded.first = parameters.Vector();
  encoded.keys =
      (by_head(nodes[0]).transpose(2, 3) / std::sqrt(static_cast<double>(head_dim))).contiguous();
  encoded.values = by_head(nodes[1]).contiguous();
  encoded.choice_keys =
      (nodes[2].transpose(1, 2) / std::sqrt(static_cast<double>(dim))).contiguous();
  encoded.queries = nodes[3].contiguous();
  encoded.pair_rows = biases.narrow(1, shape_.layers * heads, heads + 2)
                          .transpose(1, 2)
                          .reshape({problems, n, (heads + 2) * n});
  encoded.absent = batch.absent;
  return encoded;
}

at::Tensor TorchSequenceNet::Sample(const Encoded& encoded, const at::Tensor& firsts) const {
  const c10::NoGradGuard no_grad;
  DRAY_CHECK(!encoded.absent.defined());
  const int64_t n = encoded.queries.size(1);
  TorchSequenceDecoder decoder(shape_, encoded, firsts.size(1));
  for (int64_t step = 0; step < n; ++step) {
    const at::Tensor scores = decoder.Scores();
    const at::Tensor gumbel = -at::empty_like(scores).exponential_().log_();
    at::Tensor choice = (TorchSequenceDecoder::Clipped(scores) + gumbel).argmax(-1);
    if (step == 0) choice = at::where(firsts >= 0, firsts, choice);
    decoder.Pick(choice);
  }
  return decoder.sequences();
}

at::Tensor TorchSequenceNet::MultiStart(const Encoded& encoded, int64_t starts,
                                        const at::Tensor& requests, const at::Tensor& noise) const {
  const c10::NoGradGuard no_grad;
  const int64_t n = encoded.queries.size(1);
  TorchSequenceDecoder decoder(shape_, encoded, starts);
  const at::Tensor start = at::arange(starts, requests.options()).unsqueeze(0);  // [1, starts]
  const at::Tensor drawn = start >= requests;                                    // [B, starts]
  for (int64_t step = 0; step < n; ++step) {
    const at::Tensor scores = decoder.Scores();
    at::Tensor choice;
    if (step == 0 && starts > 1) {
      const at::Tensor ranked = scores.argsort(/*stable=*/true, -1, /*descending=*/true);
      choice = ranked.gather(2, start.clamp_max(n - 1).expand_as(drawn).unsqueeze(2)).squeeze(2);
    } else {
      choice = scores.argmax(-1);
    }
    if (starts > 1) {
      const at::Tensor noisy = TorchSequenceDecoder::Clipped(scores) + noise.select(1, step);
      choice = at::where(drawn, noisy.argmax(-1), choice);
    }
    decoder.Pick(choice);
  }
  return decoder.sequences();
}

at::Tensor TorchSequenceNet::LogProbs(const Encoded& encoded, const at::Tensor& sequences) const {
  DRAY_CHECK(!encoded.absent.defined());
  const int64_t problems = sequences.size(0), starts = sequences.size(1), n = sequences.size(2);
  const int64_t dim = shape_.dim, heads = shape_.heads, head_dim = shape_.head_dim();
  const int64_t picks = starts * n;
  const auto options = encoded.queries.options();

  // Rows of ones: the last request before a pick, and all before it.
  at::Tensor last = at::zeros({problems, starts, n, n}, options);
  if (n > 1) {
    last.narrow(2, 1, n - 1).scatter_(3, sequences.narrow(2, 0, n - 1).unsqueeze(3), 1.0);
  }
  at::Tensor picked = at::cumsum(last, 2);
  const at::Tensor counts = at::arange(n, options).clamp_min(1).view({1, 1, n, 1});
  const at::Tensor shares = (picked / counts).view({problems, picks, n});
  last = last.view({problems, picks, n});
  picked = picked.view({problems, picks, n});
  const at::Tensor mask = picked * kNever;

  at::Tensor first = at::zeros({n, dim}, options);
  first = at::cat({encoded.first.unsqueeze(0), first.narrow(0, 1, n - 1)}, 0);
  const at::Tensor query = at::matmul(last, encoded.queries.narrow(2, 0, dim)) +
                           at::matmul(shares, encoded.queries.narrow(2, dim, dim)) + encoded.graph +
                           first.repeat({starts, 1});
  const at::Tensor rows = at::matmul(last, encoded.pair_rows.narrow(2, 0, (heads + 1) * n))
                              .view({problems, picks, heads + 1, n});
  const at::Tensor sums = at::matmul(picked, encoded.pair_rows.narrow(2, (heads + 1) * n, n));

  const at::Tensor scores =
      at::matmul(query.view({problems, picks, heads, head_dim}).transpose(1, 2), encoded.keys) +
      rows.narrow(2, 0, heads).transpose(1, 2) + mask.unsqueeze(1);
  const at::Tensor glimpse = at::matmul(at::softmax(scores, -1), encoded.values)
                                 .transpose(1, 2)
                                 .reshape({problems, picks, dim});
  const at::Tensor choice =
      at::matmul(glimpse + query, encoded.choice_keys) + rows.select(2, heads) + sums;
  const at::Tensor log_probs = at::log_softmax(kLogitClip * choice.tanh() + mask, -1);
  return log_probs.gather(2, sequences.view({problems, picks, 1})).view({problems, starts, n});
}

}  // namespace dray
