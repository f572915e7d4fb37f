#include "src/nets/mlp.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "src/nets/cpu_mlp.h"

namespace dray {
namespace {

double Largest(const at::Tensor& t) { return t.abs().max().item<double>(); }

TEST(Mlp, WeightsStartOrthogonalAndBiasesZero) {
  const Mlp mlp({10, 64, 32, 3}, TANH);
  Rng rng(1, RngPurpose::kTest, 0);
  const auto layers = mlp.Layers(mlp.Init(0.01, rng));
  const double gains[] = {std::sqrt(2.0), std::sqrt(2.0), 0.01};
  for (size_t i = 0; i < 3; ++i) {
    const at::Tensor& w = layers[i].weight;  // [in, out]
    const at::Tensor gram = w.size(0) < w.size(1) ? at::mm(w, w.t()) : at::mm(w.t(), w);
    EXPECT_LT(Largest(gram - at::eye(gram.size(0)) * gains[i] * gains[i]), 1e-5) << "layer " << i;
    EXPECT_EQ(Largest(layers[i].bias), 0);
  }
}

TEST(Mlp, AnotherStreamGivesOtherWeights) {
  const Mlp mlp({4, 8, 2}, TANH);
  Rng a(1, RngPurpose::kInit, 0), b(2, RngPurpose::kInit, 0);
  EXPECT_GT(Largest(mlp.Init(1, a) - mlp.Init(1, b)), 0.01);
}

class MlpTest : public testing::TestWithParam<Activation> {};

TEST_P(MlpTest, ItsGradientIsThatOfPlainAutograd) {
  at::manual_seed(2);
  const Mlp mlp({5, 20, 17, 3}, GetParam());
  const at::Tensor values = at::randn({mlp.parameter_count()}) * 0.3, input = at::randn({11, 5});
  at::Tensor fused = values.clone().set_requires_grad(true);
  at::Tensor plain = values.clone().set_requires_grad(true);
  const at::Tensor weights = at::randn({11, 3});
  (mlp.Forward(input, fused) * weights).sum().backward();
  at::Tensor x = input;
  const auto layers = mlp.Layers(plain);
  for (size_t i = 0; i < layers.size(); ++i) {
    x = at::mm(x, layers[i].weight) + layers[i].bias;
    if (i + 1 < layers.size()) x = GetParam() == TANH ? x.tanh() : x.relu();
  }
  (x * weights).sum().backward();
  EXPECT_LT(Largest(fused.grad() - plain.grad()), 1e-4);
}

TEST_P(MlpTest, OnPlainMemoryItGivesTheSameOutputsAndGradients) {
  at::manual_seed(3);
  const Mlp mlp({5, 20, 17, 3}, GetParam());
  at::Tensor parameters = (at::randn({mlp.parameter_count()}) * 0.3).set_requires_grad(true);
  const at::Tensor input = at::randn({11, 5}), weights = at::randn({11, 3});
  const at::Tensor output = mlp.Forward(input, parameters);
  (output * weights).sum().backward();

  CpuMlp cpu(mlp.sizes(), GetParam());
  ASSERT_EQ(static_cast<int64_t>(cpu.parameter_count()), mlp.parameter_count());
  const auto numbers = [](const at::Tensor& t) {
    return std::span<const float>(t.const_data_ptr<float>(), static_cast<size_t>(t.numel()));
  };
  const auto found = cpu.Forward(numbers(parameters), {.rows = 11, .numbers = numbers(input)});
  EXPECT_LT(Largest(at::from_blob(found.data(), {11, 3}) - output.detach()), 1e-5);
  std::vector<float> gradients(cpu.parameter_count());
  cpu.Backward(numbers(parameters), {.rows = 11, .numbers = numbers(input)}, numbers(weights),
               gradients);
  EXPECT_LT(Largest(at::from_blob(gradients.data(), {mlp.parameter_count()}) - parameters.grad()),
            1e-4);
}

INSTANTIATE_TEST_SUITE_P(Both, MlpTest, testing::Values(TANH, RELU),
                         [](const auto& info) { return Activation_Name(info.param); });

}  // namespace
}  // namespace dray
