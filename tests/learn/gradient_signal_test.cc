#include "src/learn/gradient_signal.h"

#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "src/base/rng.h"

namespace dray {
namespace {

TEST(GradientSignal, IsAllOfGradientsThatAgree) {
  GradientSignal signal(at::zeros({2}));
  for (int i = 0; i < 3; ++i) signal.Add(at::tensor({3.0f, -4.0f}));
  EXPECT_NEAR(signal.share(), 1, 1e-6);
}

TEST(GradientSignal, IsNothingOfGradientsThatCancel) {
  GradientSignal signal(at::zeros({2}));
  signal.Add(at::tensor({1.0f, 2.0f}));
  signal.Add(at::tensor({-1.0f, -2.0f}));
  EXPECT_EQ(signal.share(), 0);
}

TEST(GradientSignal, FindsTheShareThatNoiseLeaves) {
  // |mean|^2 = 4, variance 12: a quarter, up to the error of 2,000 draws.
  Rng rng(1, RngPurpose::kTest, 0);
  GradientSignal signal(at::zeros({1}));
  for (int i = 0; i < 2000; ++i) {
    signal.Add(at::tensor({static_cast<float>(2 + std::sqrt(12.0) * rng.Normal())}));
  }
  EXPECT_NEAR(signal.share(), 0.25, 0.03);
}

TEST(GradientSignal, OfOneGradientIsUnknown) {
  GradientSignal signal(at::zeros({1}));
  EXPECT_TRUE(std::isnan(signal.share()));
  signal.Add(at::tensor({1.0f}));
  EXPECT_TRUE(std::isnan(signal.share()));
}

TEST(GradientSignal, ForgetsWhatIsCleared) {
  GradientSignal signal(at::zeros({1}));
  for (const float gradient : {3.0f, -5.0f, 2.0f}) signal.Add(at::tensor({gradient}));
  signal.Clear();
  EXPECT_TRUE(std::isnan(signal.share()));
  for (int i = 0; i < 2; ++i) signal.Add(at::tensor({7.0f}));
  EXPECT_NEAR(signal.share(), 1, 1e-6);
}

}  // namespace
}  // namespace dray
