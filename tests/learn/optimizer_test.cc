#include "src/learn/optimizer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "src/base/error.h"
#include "src/base/rng.h"

namespace dray {
namespace {

// Adam in double precision, straight from the paper.
struct ReferenceAdam {
  double value, m = 0, v = 0;
  int t = 0;

  void Step(double gradient, double lr, double epsilon) {
    ++t;
    m = 0.9 * m + 0.1 * gradient;
    v = 0.999 * v + 0.001 * gradient * gradient;
    value -=
        lr * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + epsilon);
  }
};

TEST(Optimizer, IsAdamWithEpsilonOneHundredThousandth) {
  PpoConfig config;
  config.set_max_grad_norm(0);
  const at::Tensor parameters = at::tensor({1.0f, -2.0f}), gradients = at::zeros_like(parameters);
  Optimizer optimizer(parameters, gradients, config);
  // The second gradient is so small that epsilon decides its step.
  ReferenceAdam big{1.0}, small{-2.0};
  Rng rng(1, RngPurpose::kTest, 0);
  for (int i = 0; i < 100; ++i) {
    const double g = rng.Normal(), tiny = 1e-5 * rng.Normal();
    gradients.copy_(at::tensor({static_cast<float>(g), static_cast<float>(tiny)}));
    optimizer.Step(0.01);
    big.Step(g, 0.01, 1e-5);
    small.Step(tiny, 0.01, 1e-5);
  }
  EXPECT_NEAR(parameters[0].item<double>(), big.value, 1e-5);
  EXPECT_NEAR(parameters[1].item<double>(), small.value, 1e-5);
}

TEST(Optimizer, ReportsTheNormOfAllGradientsHoweverManyThreadsThereAre) {
  Rng rng(2, RngPurpose::kTest, 0);
  std::vector<float> numbers(10000);
  double squares = 0;
  for (float& number : numbers) {
    number = static_cast<float>(rng.Normal());
    squares += double{number} * number;
  }
  double alone = 0;
  for (const int threads : {1, 3}) {
    ThreadTeam team(threads);
    const at::Tensor gradients = at::tensor(numbers), parameters = at::zeros_like(gradients);
    const double norm = Optimizer(parameters, gradients, PpoConfig(), team).Step(0.1);
    EXPECT_NEAR(norm, std::sqrt(squares), 1e-6 * std::sqrt(squares));
    if (threads == 1) alone = norm;
    EXPECT_EQ(norm, alone);
  }
}

TEST(Optimizer, ClipsTheJointNormAndReportsTheOneBefore) {
  PpoConfig config;
  config.set_max_grad_norm(0.5);
  const at::Tensor parameters = at::tensor({0.0f, 0.0f}), gradients = at::zeros_like(parameters);
  Optimizer optimizer(parameters, gradients, config);
  ReferenceAdam first{0.0}, second{0.0};
  // Of norm 5: a tenth of them counts. Of norm 0.25: they count as they are.
  for (const auto& [a, b, norm] : {std::tuple{3.0, 4.0, 5.0}, {0.15, -0.2, 0.25}}) {
    gradients.copy_(at::tensor({static_cast<float>(a), static_cast<float>(b)}));
    EXPECT_NEAR(optimizer.Step(0.1), norm, 1e-6);
    first.Step(norm > 0.5 ? a / 10 : a, 0.1, 1e-5);
    second.Step(norm > 0.5 ? b / 10 : b, 0.1, 1e-5);
    EXPECT_NEAR(parameters[0].item<double>(), first.value, 1e-5);
    EXPECT_NEAR(parameters[1].item<double>(), second.value, 1e-5);
  }
}

TEST(Optimizer, AGradientThatIsNotFiniteIsAnErrorAndChangesNothing) {
  const at::Tensor parameters = at::tensor({1.0f}), gradients = at::tensor({NAN});
  Optimizer optimizer(parameters, gradients, PpoConfig());
  EXPECT_THROW(optimizer.Step(0.1), Error);
  EXPECT_EQ(parameters[0].item<float>(), 1.0f);
}

TEST(Optimizer, ALoadedOneGoesOnWhereTheSavedOneStood) {
  const PpoConfig config;
  const at::Tensor a = at::tensor({1.0f}), b = at::tensor({1.0f}), g = at::tensor({0.1f});
  Optimizer one(a, g, config), other(b, g, config);
  for (int i = 0; i < 5; ++i) one.Step(0.01);
  ByteWriter out;
  one.Save(out);
  ByteReader in(out.bytes(), "optimizer");
  other.Restore(other.Read(in));
  b.copy_(a);
  one.Step(0.01);
  other.Step(0.01);
  EXPECT_EQ(a.item<float>(), b.item<float>());
}

}  // namespace
}  // namespace dray
