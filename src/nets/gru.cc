#include "src/nets/gru.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>

#include "src/base/error.h"
#include "src/nets/orthogonal.h"

namespace dray {
namespace {

at::Tensor Weights(const LinearPart& part, const at::Tensor& parameters) {
  return parameters.narrow(0, part.start, part.in * part.out).view({part.in, part.out});
}

at::Tensor Biases(const LinearPart& part, const at::Tensor& parameters) {
  return parameters.narrow(0, part.biases(), part.out);
}

at::Tensor Apply(const LinearPart& part, const at::Tensor& parameters, const at::Tensor& rows) {
  return at::addmm(Biases(part, parameters), rows, Weights(part, parameters));
}

}  // namespace

at::Tensor Gru::Init(double output_gain, Rng& rng) const {
  const at::Tensor parameters = at::zeros({parameter_count()}, at::kFloat);
  for (const LinearPart& part : {shape_.look, shape_.recall}) {
    for (at::Tensor gate : Weights(part, parameters).chunk(3, 1)) {
      gate.copy_(Orthogonal(part.in, shape_.memory(), /*gain=*/1, rng));
    }
  }
  parameters.narrow(0, shape_.head_start(), head_.parameter_count())
      .copy_(head_.Init(output_gain, rng));
  return parameters;
}

at::Tensor Gru::Forward(const NetInput& input, const at::Tensor& parameters) const {
  const int64_t steps = input.sequence, sequences = input.rows() / steps;
  const auto parts = input.numbers.split_with_sizes({shape_.seen(), shape_.memory(), 1}, /*dim=*/1);
  const at::Tensor looked =
      Apply(shape_.look, parameters, parts[0]).view({sequences, steps, 3 * shape_.memory()});
  const at::Tensor goes_on = (1 - parts[2]).view({sequences, steps, 1});
  at::Tensor memory = parts[1].view({sequences, steps, shape_.memory()}).select(1, 0);
  std::vector<at::Tensor> memories;
  for (int64_t step = 0; step < steps; ++step) {
    const at::Tensor before = memory * goes_on.select(1, step);
    const auto look = looked.select(1, step).chunk(3, 1);
    const auto recall = Apply(shape_.recall, parameters, before).chunk(3, 1);
    const at::Tensor candidate = at::tanh(look[2] + at::sigmoid(look[0] + recall[0]) * recall[2]);
    memory = at::lerp(candidate, before, at::sigmoid(look[1] + recall[1]));
    memories.push_back(memory);
  }
  at::Tensor x = at::cat({parts[0], at::stack(memories, 1).view({-1, shape_.memory()})}, 1);
  int64_t start = shape_.head_start();
  for (size_t i = 1; i < shape_.head.size(); ++i) {
    const LinearPart part{
        .name = "", .start = start, .in = shape_.head[i - 1], .out = shape_.head[i]};
    x = Apply(part, parameters, x);
    if (i + 1 < shape_.head.size()) x = shape_.activation == TANH ? at::tanh(x) : at::relu(x);
    start = part.end();
  }
  return x;
}

NamedTensors Gru::Named(const at::Tensor& parameters) const {
  NamedTensors named;
  for (const auto& [part, name] : {std::pair(&shape_.look, "ih"), {&shape_.recall, "hh"}}) {
    named.emplace_back(Cat("gru.weight_", name, "_l0"), Weights(*part, parameters).t());
    named.emplace_back(Cat("gru.bias_", name, "_l0"), Biases(*part, parameters));
  }
  for (auto& layer :
       head_.Named(parameters.narrow(0, shape_.head_start(), head_.parameter_count()))) {
    named.push_back(layer);
  }
  return named;
}

}  // namespace dray
