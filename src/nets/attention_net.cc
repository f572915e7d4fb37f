#include "src/nets/attention_net.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "src/base/error.h"
#include "src/nets/orthogonal.h"

namespace dray {
namespace {

// So far below any score that its exponential is 0.
constexpr double kAbsent = -1e9;

// Splits the parameters into layers with a single node of the autograd graph.
class Layers {
 public:
  Layers(const AttentionShape& shape, const at::Tensor& parameters) {
    std::vector<int64_t> sizes;
    for (const LinearPart& part : shape.Parts()) {
      sizes.push_back(part.in * part.out);
      if (part.biased) sizes.push_back(part.out);
    }
    if (shape.price >= 0) sizes.push_back(1);
    pieces_ = parameters.split_with_sizes(sizes);
  }

  // Returns the next layer's weights [in, out], or its biases.
  at::Tensor Weights(const LinearPart& part) { return pieces_[next_++].view({part.in, part.out}); }
  at::Tensor Next() { return pieces_[next_++]; }

  // Applies the next layer: [..., in] -> [..., out].
  at::Tensor Apply(const LinearPart& part, const at::Tensor& input) {
    const at::Tensor weights = Weights(part), biases = Next();
    std::vector<int64_t> sizes = input.sizes().vec();
    sizes.back() = part.out;
    return at::addmm(biases, input.reshape({-1, part.in}), weights).view(sizes);
  }

 private:
  std::vector<at::Tensor> pieces_;
  size_t next_ = 0;
};

// Applies self-attention to the present tokens x [rows, tokens, width], then two linear layers.
at::Tensor ApplyRound(const AttentionShape& shape, const AttentionShape::Round& round,
                      const at::Tensor& x, const at::Tensor& absent, Layers& layers) {
  const int64_t rows = x.size(0);
  const at::Tensor qkv = layers.Apply(round.look, x)
                             .view({rows, shape.tokens, 3, shape.heads, shape.head_width()})
                             .permute({2, 0, 3, 1, 4});  // [3, rows, heads, tokens, head]
  const double scale = 1 / std::sqrt(shape.head_width());
  const at::Tensor scores = qkv[0]
                                .matmul(qkv[1].transpose(2, 3))
                                .mul(scale)
                                .masked_fill(absent.view({rows, 1, 1, shape.tokens}), kAbsent);
  const at::Tensor attended =
      at::softmax(scores, 3).matmul(qkv[2]).transpose(1, 2).reshape(x.sizes());
  const at::Tensor blended = x + layers.Apply(round.blend, attended);
  const at::Tensor raised = layers.Apply(round.up, blended).relu();
  return blended + layers.Apply(round.down, raised);
}

// Pools by attention: the query [rows, width] attends to all tokens of its row. With one query per
// row, it is cheaper to multiply the query by the keys' weights than every token.
at::Tensor Pool(const AttentionShape& shape, const at::Tensor& query, const at::Tensor& x,
                const at::Tensor& absent, const at::Tensor& key, const at::Tensor& answer) {
  const int64_t rows = x.size(0), heads = shape.heads, head = shape.head_width();
  const auto by_head = [&](const at::Tensor& weights) {
    return weights.view({shape.width, heads, head}).permute({1, 0, 2});  // [heads, width, head]
  };
  const at::Tensor asked =
      at::bmm(query.view({rows, heads, head}).transpose(0, 1), by_head(key).transpose(1, 2))
          .transpose(0, 1);  // [rows, heads, width]
  const double scale = 1 / std::sqrt(head);
  const at::Tensor scores = at::bmm(asked, x.transpose(1, 2)).mul(scale);
  const at::Tensor weights = at::softmax(scores.masked_fill(absent.unsqueeze(1), kAbsent), 2) *
                             absent.unsqueeze(1).logical_not();
  const at::Tensor mixed = at::bmm(weights, x).transpose(0, 1);  // [heads, rows, width]
  return at::bmm(mixed, by_head(answer)).transpose(0, 1).reshape({rows, shape.width});
}

}  // namespace

at::Tensor AttentionNet::Init(double output_gain, Rng& rng) const {
  const at::Tensor parameters = at::zeros({shape_.parameter_count}, at::kFloat);
  for (const LinearPart& part : shape_.Parts()) {
    const bool last = part.start == shape_.hidden.back().start;
    const bool before_relu = part.name == "embed" || part.name.ends_with(".up");
    const bool hidden = part.name.starts_with("hidden.");
    const double gain = last ? output_gain : before_relu || hidden ? std::sqrt(2.0) : 1.0;
    parameters.narrow(0, part.start, part.in * part.out)
        .copy_(Orthogonal(part.in, part.out, gain, rng).reshape(-1));
  }
  if (shape_.price >= 0) parameters[shape_.price] = shape_.price_coefficient;
  return parameters;
}

at::Tensor AttentionNet::Forward(const NetInput& input, const at::Tensor& parameters) const {
  DRAY_CHECK(!input.bags.defined());
  const int64_t rows = input.rows(), tokens = shape_.tokens;
  Layers layers(shape_, parameters);
  const at::Tensor observed = input.numbers.narrow(1, 0, tokens * shape_.token_size)
                                  .view({rows, tokens, shape_.token_size});
  const at::Tensor context = input.numbers.narrow(1, tokens * shape_.token_size, shape_.context);
  const at::Tensor absent = observed.select(2, 0).eq(0);
  at::Tensor x = layers.Apply(shape_.embed, observed).relu();
  for (const AttentionShape::Round& round : shape_.rounds) {
    x = ApplyRound(shape_, round, x, absent, layers);
  }
  // The last present token; zeros if there is none.
  const at::Tensor places = at::arange(1, tokens + 1, absent.options().dtype(at::kLong));
  const at::Tensor last_place = (places * absent.logical_not()).amax(1);
  const at::Tensor at_last =
      (last_place - 1).clamp_min(0).view({rows, 1, 1}).expand({rows, 1, shape_.width});
  const at::Tensor last = x.gather(1, at_last).squeeze(1) * last_place.gt(0).unsqueeze(1);

  const at::Tensor query = layers.Apply(shape_.ask, at::cat({context, last}, 1));
  const at::Tensor key = layers.Weights(shape_.key), answer = layers.Weights(shape_.answer);
  at::Tensor h = at::cat({Pool(shape_, query, x, absent, key, answer), last, context}, 1);
  for (const LinearPart& part : shape_.hidden) {
    h = layers.Apply(part, h);
    if (part.start == shape_.hidden.back().start) break;
    h = shape_.activation == TANH ? h.tanh() : h.relu();
  }
  if (shape_.price < 0) return h;
  return h + layers.Next() * context.narrow(1, shape_.context - shape_.outputs, shape_.outputs);
}

NamedTensors AttentionNet::Named(const at::Tensor& parameters) const {
  NamedTensors named;
  for (const LinearPart& part : shape_.Parts()) {
    named.emplace_back(
        part.name + ".weight",
        parameters.narrow(0, part.start, part.in * part.out).view({part.in, part.out}).t());
    if (part.biased) {
      named.emplace_back(part.name + ".bias", parameters.narrow(0, part.biases(), part.out));
    }
  }
  if (shape_.price >= 0) named.emplace_back("price", parameters.narrow(0, shape_.price, 1));
  return named;
}

}  // namespace dray
