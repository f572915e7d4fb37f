#include "src/envs/dvrptw/flexibility/em_loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace dray::dvrptw {
namespace {

TEST(EmLoss, IsTheCrossEntropyAgainstTheRestrictedShares) {
  // f = 0.4, 0.3, 0.2, 0.1.
  const std::vector<float> logits = {std::log(4.0f), std::log(3.0f), std::log(2.0f), 0.0f};
  std::vector<float> gradients(4);
  // Types 0 and 3 fit: w = 0.8, 0, 0, 0.2.
  const double loss =
      EmLoss(logits, std::vector<int32_t>{0}, std::vector<uint8_t>{0b1001}, gradients);
  EXPECT_NEAR(loss, -0.8 * std::log(0.4) - 0.2 * std::log(0.1), 1e-6);
  const float expected[] = {0.4f - 0.8f, 0.3f, 0.2f, 0.1f - 0.2f};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(gradients[i], expected[i], 1e-6);
}

TEST(EmLoss, IsHalvedAndFlatWhenEveryTypeFits) {
  const std::vector<float> logits(4, 0.0f);
  std::vector<float> gradients(4, 1.0f);
  const double loss =
      EmLoss(logits, std::vector<int32_t>{0}, std::vector<uint8_t>{0b1111}, gradients);
  EXPECT_NEAR(loss, 0.5 * std::log(4.0), 1e-6);
  for (const float gradient : gradients) EXPECT_NEAR(gradient, 0, 1e-7);
}

TEST(EmLoss, AveragesOverAnswersAndAddsUpByRow) {
  const std::vector<float> logits = {0, 0, 0, 0, 1, 2, 3, 4};
  std::vector<float> one(8), two(8), both(8);
  const double a = EmLoss(logits, std::vector<int32_t>{0}, std::vector<uint8_t>{0b0001}, one);
  const double b = EmLoss(logits, std::vector<int32_t>{1}, std::vector<uint8_t>{0b0110}, two);
  const double mean = EmLoss(logits, std::vector<int32_t>{0, 1, 1},
                             std::vector<uint8_t>{0b0001, 0b0110, 0b0110}, both);
  EXPECT_NEAR(mean, (a + 2 * b) / 3, 1e-6);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(both[i], (one[i] + 2 * two[i]) / 3, 1e-6);
}

TEST(EmLoss, StaysFiniteWhereTheFittingTypesHaveVanished) {
  const std::vector<float> logits = {1000, 0, 0, 0};
  std::vector<float> gradients(4);
  const double loss =
      EmLoss(logits, std::vector<int32_t>{0}, std::vector<uint8_t>{0b0110}, gradients);
  EXPECT_TRUE(std::isfinite(loss));
  EXPECT_NEAR(gradients[0], 1, 1e-6);
  EXPECT_NEAR(gradients[1], -0.5, 1e-6);
}

}  // namespace
}  // namespace dray::dvrptw
