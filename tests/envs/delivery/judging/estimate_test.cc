#include "src/envs/delivery/judging/estimate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dray::delivery {
namespace {

TEST(Estimate, IntervalsAreStudents) {
  // Five values of standard deviation 1.5811: 2.7764 * 1.5811 / sqrt(5).
  const Estimate estimate = EstimateOf({1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(estimate.mean, 3);
  EXPECT_NEAR(estimate.ci95, 1.9632, 1e-3);
  EXPECT_TRUE(std::isnan(EstimateOf({1}).ci95));
}

TEST(Estimate, WhatDaysHaveInCommonDoesNotWidenAPairedInterval) {
  const Estimate paired =
      PairedEstimate(std::vector<double>{101, 203, 305}, std::vector<double>{100, 201, 302});
  EXPECT_DOUBLE_EQ(paired.mean, 2);
  EXPECT_NEAR(paired.ci95, 4.3027 / std::sqrt(3), 1e-3);
}

TEST(Estimate, IsWrittenWithSignAndInterval) {
  EXPECT_EQ(WithInterval({-1.234, 0.5}), "-1.23 ± 0.50");
  EXPECT_EQ(WithInterval({2, 0.25}), "+2.00 ± 0.25");
}

}  // namespace
}  // namespace dray::delivery
