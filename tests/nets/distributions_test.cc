#include "src/nets/distributions.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "src/base/error.h"
#include "src/nets/sampling.h"

namespace dray {
namespace {

const std::vector<float> kLogits = {1.0f, -2.0f, 0.5f, 3.0f};
const std::vector<uint8_t> kMask = {1, 0, 1, 0};

at::Tensor MaskTensor() { return at::tensor({1, 0, 1, 0}).to(at::kBool).unsqueeze(0); }

TEST(MaskedCategorical, RenormalisesOverTheAllowedActions) {
  const at::Tensor logits = at::tensor(kLogits).unsqueeze(0);
  const double z = std::exp(1.0) + std::exp(0.5);
  const double p0 = std::exp(1.0) / z, p2 = std::exp(0.5) / z;
  const ActionStats stats = MaskedCategorical(logits, MaskTensor(), at::tensor({2}, at::kLong));
  EXPECT_NEAR(stats.log_probs.item<double>(), std::log(p2), 1e-6);
  EXPECT_NEAR(stats.entropy.item<double>(), -p0 * std::log(p0) - p2 * std::log(p2), 1e-6);
}

TEST(MaskedCategorical, AForbiddenActionHasProbabilityExactlyZeroAndNoGradient) {
  at::Tensor logits = at::tensor(kLogits).unsqueeze(0).set_requires_grad(true);
  const ActionStats forbidden = MaskedCategorical(logits, MaskTensor(), at::tensor({3}, at::kLong));
  EXPECT_EQ(std::exp(forbidden.log_probs.item<double>()), 0);
  const ActionStats stats = MaskedCategorical(logits, MaskTensor(), at::tensor({0}, at::kLong));
  (stats.log_probs.sum() + stats.entropy.sum()).backward();
  EXPECT_EQ(logits.grad()[0][1].item<float>(), 0);
  EXPECT_EQ(logits.grad()[0][3].item<float>(), 0);
  EXPECT_NE(logits.grad()[0][0].item<float>(), 0);
}

TEST(DrawCategorical, NeverDrawsAForbiddenAction) {
  Rng rng(1, RngPurpose::kTest, 0);
  int first = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const Draw draw = DrawCategorical(kLogits, kMask, rng);
    ASSERT_EQ(kMask[draw.action], 1);
    first += draw.action == 0;
  }
  const double p0 = std::exp(1.0) / (std::exp(1.0) + std::exp(0.5));
  EXPECT_NEAR(first / 1e6, p0, 5 * std::sqrt(p0 * (1 - p0) / 1e6));
}

TEST(DrawCategorical, ReportsTheProbabilityThatTheLearnerWillFind) {
  Rng rng(2, RngPurpose::kTest, 0);
  for (int i = 0; i < 200; ++i) {
    std::vector<float> logits(6);
    for (float& logit : logits) logit = static_cast<float>(3 * rng.Normal());
    const std::vector<uint8_t> mask = {1, 1, 0, 1, 0, 1};
    const Draw draw = DrawCategorical(logits, mask, rng);
    const ActionStats stats = MaskedCategorical(
        at::tensor(logits).unsqueeze(0), at::tensor({1, 1, 0, 1, 0, 1}).to(at::kBool).unsqueeze(0),
        at::tensor({draw.action}, at::kLong));
    EXPECT_NEAR(draw.log_prob, stats.log_probs.item<double>(), 1e-5);
  }
}

TEST(DrawCategorical, SurvivesExtremeLogits) {
  Rng rng(3, RngPurpose::kTest, 0);
  const std::vector<float> logits = {-1e30f, 1e30f, 0};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(DrawCategorical(logits, {}, rng).action, 1);
}

TEST(DrawCategorical, OutputsThatAreNotFiniteAreAnError) {
  Rng rng(3, RngPurpose::kTest, 0);
  EXPECT_THROW(DrawCategorical(std::vector<float>{NAN, NAN}, {}, rng), Error);
}

TEST(BestAction, IsTheFirstOfTheMostProbableAllowedOnes) {
  EXPECT_EQ(BestAction(kLogits, kMask), 0);
  EXPECT_EQ(BestAction(kLogits, {}), 3);
  EXPECT_EQ(BestAction(std::vector<float>{2, 2, 2}, {}), 0);
}

TEST(DiagonalGaussian, SumsLogProbabilitiesAndEntropiesOverTheValues) {
  const at::Tensor means = at::tensor({0.5f, -1.0f}).unsqueeze(0),
                   log_std = at::tensor({0.0f, 0.7f});
  const at::Tensor actions = at::tensor({1.0f, 0.0f}).unsqueeze(0);
  const auto log_density = [](double x, double m, double s) {
    return -0.5 * std::pow((x - m) / s, 2) - std::log(s) - 0.5 * std::log(2 * std::numbers::pi);
  };
  const ActionStats stats = DiagonalGaussian(means, log_std, actions);
  EXPECT_NEAR(stats.log_probs.item<double>(),
              log_density(1, .5, 1) + log_density(0, -1, std::exp(.7)), 1e-6);
  EXPECT_NEAR(stats.entropy.item<double>(), 0.7 + std::log(2 * std::numbers::pi * std::numbers::e),
              1e-6);
}

TEST(DrawGaussian, ReportsTheProbabilityThatTheLearnerWillFind) {
  Rng rng(4, RngPurpose::kTest, 0);
  const std::vector<float> means = {0.3f, -2.0f}, log_std = {-0.5f, 0.2f};
  std::vector<float> values(2);
  double sum = 0, squares = 0;
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    const float log_prob = DrawGaussian(means, log_std, rng, values);
    if (i < 50) {
      const ActionStats stats = DiagonalGaussian(
          at::tensor(means).unsqueeze(0), at::tensor(log_std), at::tensor(values).unsqueeze(0));
      EXPECT_NEAR(log_prob, stats.log_probs.item<double>(), 1e-5);
    }
    sum += values[1];
    squares += (values[1] + 2.0) * (values[1] + 2.0);
  }
  EXPECT_NEAR(sum / draws, -2.0, 0.05);
  EXPECT_NEAR(std::sqrt(squares / draws), std::exp(0.2), 0.03);
}

}  // namespace
}  // namespace dray
