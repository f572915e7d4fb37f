#include "tests/learn/loss_cases.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

namespace dray {
namespace {

// Lists of 0 to 40 indices; samples are the bags from the last to the first.
Bags RandomBags(const BagSpec& bag, int64_t rows) {
  if (bag.width == 0) return {};
  const at::Tensor lengths = at::randint(0, 40, {rows}, at::kInt);
  const at::Tensor offsets = at::cat({at::zeros({1}, at::kInt), lengths.cumsum(0).to(at::kInt)});
  const at::Tensor indices = at::randint(bag.width, {offsets[rows].item<int64_t>()}, at::kInt);
  return {offsets, indices, at::arange(rows).flip(0)};
}

}  // namespace

const std::vector<LossCase>& LossCases() {
  static const std::vector<LossCase> cases = {
      LossCase{"Discrete", true, false, TANH, {0.2, true, true, 0.01}},
      LossCase{"Masked", true, true, TANH, {0.2, false, true, 0.05}},
      LossCase{"MaskedRelu", true, true, RELU, {0.1, true, false, 0.05}},
      LossCase{"Appraised", true, true, RELU, {0.2, true, true, 0.05, 1, 0.7, 2}},
      LossCase{"AppraisedAlone", true, false, TANH, {0.2, true, true, 0, 0, 1, 0.5}},
      LossCase{"Continuous", false, false, TANH, {0.2, true, true, 0.01}},
      LossCase{"ContinuousRelu", false, false, RELU, {0.3, false, false, 0}},
      LossCase{"Bag", true, true, RELU, {0.2, true, true, 0.05}, 0, {37, 6, 6}},
      LossCase{"BagAndNumbers", true, false, TANH, {0.2, true, true, 0}, 5, {90, 2, 3}},
      LossCase{"Tokens", true, true, RELU, {0.2, true, true, 0}, 9, {}, {11, 4}}};
  return cases;
}

EnvSpec SpecOf(const LossCase& c) {
  EnvSpec spec;
  spec.observation_size = c.tokens.count * c.tokens.size + c.numbers;
  spec.tokens = c.tokens;
  spec.bag = c.bag;
  spec.masked = c.masked;
  spec.actions = c.discrete ? ActionSpace::Discrete(7) : ActionSpace::Box({-1, -1, -1}, {1, 1, 1});
  return spec;
}

Samples RandomSamples(const LossCase& c, int64_t rows) {
  Samples samples;
  const at::Tensor there = at::rand({rows, c.tokens.count, 1}).gt(0.5);
  at::Tensor tokens = at::randn({rows, c.tokens.count, c.tokens.size});
  if (c.tokens.count > 0) tokens.select(2, 0).fill_(1);
  samples.observations = at::cat(
      {(tokens * there).view({rows, c.tokens.count * c.tokens.size}), at::randn({rows, c.numbers})},
      1);
  samples.bags = RandomBags(c.bag, rows);
  if (c.discrete) {
    samples.actions = at::randint(7, {rows}, at::kLong);
  } else {
    samples.actions = at::randn({rows, 3});
  }
  if (c.masked) {
    samples.masks = at::rand({rows, 7}).gt(0.4);
    // An action taken was allowed.
    samples.masks.scatter_(1, samples.actions.unsqueeze(1), true);
  }
  if (c.settings.appraisal_coefficient > 0) samples.appraisals = at::randn({rows, 7}) * 3;
  samples.log_probs = at::randn({rows}) * 0.3 - (c.discrete ? 1.5 : 4.0);
  samples.values = at::randn({rows});
  samples.advantages = at::randn({rows}) * 2 + 1;
  samples.returns = samples.values + at::randn({rows}) * 0.5;
  return samples;
}

NetworkConfig NetworkOf(const LossCase& c, std::initializer_list<int> hidden) {
  NetworkConfig config;
  for (const int width : hidden) config.add_hidden(width);
  config.set_activation(c.activation);
  if (c.tokens.count > 0) config.set_kind(ATTENTION);
  return config;
}

Samples Moved(const Samples& samples, const at::Device& device) {
  const auto moved = [&](const at::Tensor& t) { return t.defined() ? t.to(device) : t; };
  return {moved(samples.observations),
          {moved(samples.bags.offsets), moved(samples.bags.indices), moved(samples.bags.rows)},
          moved(samples.masks),
          moved(samples.actions),
          moved(samples.appraisals),
          moved(samples.log_probs),
          moved(samples.values),
          moved(samples.advantages),
          moved(samples.returns)};
}

}  // namespace dray
