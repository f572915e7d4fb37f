#include "src/envs/dvrptw/flexibility/flexibility_net.h"

#include <gtest/gtest.h>

#include <vector>

namespace dray::dvrptw {
namespace {

FlexibilityNet MakeNet(int riders) {
  Rng rng(1, RngPurpose::kTest, 0);
  return FlexibilityNet(riders, rng);
}

TEST(FlexibilityNet, HasTheSpecifiedSize) {
  EXPECT_EQ(MakeNet(30).parameters().size(),
            30u * 64 + 64 * 128 + 128 + 128 * 128 + 128 + 128 * 4 + 4);
}

TEST(FlexibilityNet, AnswersForEachRiderAlone) {
  FlexibilityNet net = MakeNet(5);
  const auto all = net.Forward(std::vector<int32_t>{0, 1, 2, 3, 4});
  const std::vector<float> kept(all.begin(), all.end());
  const auto one = net.Forward(std::vector<int32_t>{3});
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(one[i], kept[3 * 4 + i], 1e-6);
}

// sum_i c_i logit_i, whose gradient by the logits is c.
double Weighted(FlexibilityNet& net, std::span<const int32_t> riders, std::span<const float> c) {
  const auto logits = net.Forward(riders);
  double sum = 0;
  for (size_t i = 0; i < c.size(); ++i) sum += static_cast<double>(c[i]) * logits[i];
  return sum;
}

TEST(FlexibilityNet, GradientsAreFiniteDifferences) {
  FlexibilityNet net = MakeNet(4);
  Rng rng(2, RngPurpose::kTest, 0);
  // Large enough last weights for the differences to be seen.
  for (float& value : net.parameters().last(128 * 4 + 4)) value = rng.Uniform(-0.3, 0.3);
  const std::vector<int32_t> riders = {2, 0, 3};
  std::vector<float> c(12);
  for (float& value : c) value = static_cast<float>(rng.Normal());
  net.Forward(riders);
  net.Backward(riders, c);
  const std::vector<float> gradients(net.gradients().begin(), net.gradients().end());
  const auto count = static_cast<uint32_t>(gradients.size());
  for (int k = 0; k < 300; ++k) {
    // Every third among the embeddings, the rest anywhere.
    const uint32_t i = k % 3 == 0 ? rng.Below(4 * 64) : rng.Below(count);
    float& parameter = net.parameters()[i];
    const float before = parameter, step = 0.01f;
    parameter = before + step;
    const double above = Weighted(net, riders, c);
    parameter = before - step;
    const double below = Weighted(net, riders, c);
    parameter = before;
    ASSERT_NEAR(gradients[i], (above - below) / (2 * step), 2e-3) << "parameter " << i;
  }
}

TEST(FlexibilityNet, RidersWhoAreNotThereHaveNoGradient) {
  FlexibilityNet net = MakeNet(3);
  const std::vector<int32_t> riders = {0, 2};
  net.Forward(riders);
  net.Backward(riders, std::vector<float>(8, 1.0f));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(net.gradients()[64 + i], 0.0f);
  EXPECT_NE(net.gradients()[0], 0.0f);
}

}  // namespace
}  // namespace dray::dvrptw
