#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/nets/attention_net.h"
#include "src/nets/cpu_attention.h"

namespace dray {
namespace {

constexpr int kTokens = 20, kTokenSize = 5, kContext = 9, kActions = 4;

EnvSpec Spec() {
  EnvSpec spec;
  spec.name = "toy";
  spec.observation_size = kTokens * kTokenSize + kContext;
  spec.tokens = {.count = kTokens, .size = kTokenSize};
  spec.actions = ActionSpace::Discrete(kActions);
  return spec;
}

NetworkConfig Small(int layers) {
  NetworkConfig config;
  config.set_kind(ATTENTION);
  config.set_attention_width(24);
  config.set_attention_heads(3);
  config.set_attention_layers(layers);
  config.add_hidden(10);
  config.set_price_coefficient(-2);
  return config;
}

// Rows with 0 to 20 tokens, at their beginning or anywhere.
at::Tensor Observations(int64_t rows) {
  at::Tensor tokens = at::randn({rows, kTokens, kTokenSize});
  tokens.select(2, 0).fill_(1);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < kTokens; ++i) {
      const bool there = row % 2 == 0 ? i < row % (kTokens + 1) : (i * 7 + row) % 3 == 0;
      if (!there) tokens[row][i].zero_();
    }
  }
  return at::cat({tokens.view({rows, -1}), at::randn({rows, kContext})}, 1);
}

double Largest(const at::Tensor& t) { return t.abs().max().item<double>(); }

std::span<const float> Numbers(const at::Tensor& t) {
  return {t.const_data_ptr<float>(), static_cast<size_t>(t.numel())};
}

class AttentionTest : public testing::TestWithParam<std::tuple<int, NetRole>> {};

TEST_P(AttentionTest, OnPlainMemoryItGivesTheSameOutputsAndGradients) {
  at::manual_seed(1);
  const auto [layers, role] = GetParam();
  const AttentionShape shape(Spec(), Small(layers), role);
  const AttentionNet net(shape);
  Rng rng(1, RngPurpose::kTest, 0);
  const at::Tensor parameters =
      (net.Init(1, rng) + at::randn({net.parameter_count()}) * 0.1).set_requires_grad(true);
  const int64_t rows = 50;
  const at::Tensor input = Observations(rows), weights = at::randn({rows, shape.outputs});
  const at::Tensor output = net.Forward(input, parameters);
  (output * weights).sum().backward();

  CpuAttention cpu(shape);
  ASSERT_EQ(static_cast<int64_t>(cpu.parameter_count()), net.parameter_count());
  const CpuInput cpu_input{.rows = rows, .numbers = Numbers(input)};
  const auto found = cpu.Forward(Numbers(parameters), cpu_input);
  EXPECT_LT(Largest(at::from_blob(found.data(), {rows, shape.outputs}) - output.detach()), 1e-5);
  std::vector<float> gradients(cpu.parameter_count(), 123.0f);
  cpu.Backward(Numbers(parameters), cpu_input, Numbers(weights), gradients);
  const at::Tensor difference =
      at::from_blob(gradients.data(), {net.parameter_count()}) - parameters.grad();
  for (const auto& [name, part] : net.Named(difference)) {
    EXPECT_LT(Largest(part), 2e-4) << name;
  }
  EXPECT_GT(Largest(parameters.grad()), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Every, AttentionTest,
                         testing::Combine(testing::Values(0, 1, 2),
                                          testing::Values(NetRole::kActor, NetRole::kCritic)));

TEST(Attention, WeightsStartOrthogonalBiasesZeroAndThePriceAsConfigured) {
  const AttentionNet net(AttentionShape(Spec(), Small(1), NetRole::kActor));
  Rng rng(1, RngPurpose::kTest, 0);
  const NamedTensors named = net.Named(net.Init(0.01, rng));
  EXPECT_FALSE(named.empty());
  for (const auto& [name, tensor] : named) {
    if (name == "price") {
      EXPECT_EQ(tensor.item<double>(), -2);
    } else if (name.ends_with(".bias")) {
      EXPECT_EQ(Largest(tensor), 0) << name;
    } else {
      const at::Tensor gram =
          tensor.size(0) < tensor.size(1) ? at::mm(tensor, tensor.t()) : at::mm(tensor.t(), tensor);
      EXPECT_LT(Largest(gram - at::eye(gram.size(0)) * gram[0][0]), 1e-5) << name;
    }
  }
}

TEST(Attention, TheOrderOfTokensBeforeTheLastDoesNotMatterTheLastOneDoes) {
  at::manual_seed(2);
  const AttentionNet net(AttentionShape(Spec(), Small(2), NetRole::kActor));
  Rng rng(1, RngPurpose::kTest, 0);
  const at::Tensor parameters = net.Init(1, rng);
  const at::Tensor row = Observations(17).narrow(0, 16, 1);  // 16 tokens at the beginning
  const auto swapped = [&row](int64_t a, int64_t b) {
    const at::Tensor copy = row.clone();
    copy.narrow(1, a * kTokenSize, kTokenSize).copy_(row.narrow(1, b * kTokenSize, kTokenSize));
    copy.narrow(1, b * kTokenSize, kTokenSize).copy_(row.narrow(1, a * kTokenSize, kTokenSize));
    return copy;
  };
  const at::Tensor output = net.Forward(row, parameters);
  EXPECT_LT(Largest(net.Forward(swapped(0, 7), parameters) - output), 1e-5);
  EXPECT_GT(Largest(net.Forward(swapped(0, 15), parameters) - output), 1e-3);
}

TEST(Attention, AFirstPolicyWithAPriceTakesTheCheapest) {
  at::manual_seed(3);
  NetworkConfig config = Small(1);
  config.set_price_coefficient(-100);
  const AttentionNet net(AttentionShape(Spec(), config, NetRole::kActor));
  Rng rng(1, RngPurpose::kTest, 0);
  const at::Tensor input = Observations(30);
  const at::Tensor chosen = net.Forward(input, net.Init(0.01, rng)).argmax(1);
  const at::Tensor cheapest = input.narrow(1, input.size(1) - kActions, kActions).argmin(1);
  EXPECT_GE(chosen.eq(cheapest).sum().item<int64_t>(), 29);
}

TEST(Attention, ATaskWithoutTokensIsAnError) {
  EnvSpec spec = Spec();
  spec.tokens = {};
  EXPECT_THROW(AttentionShape(spec, Small(1), NetRole::kActor), Error);
}

}  // namespace
}  // namespace dray
