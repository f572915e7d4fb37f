#include "src/metrics/report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dray {
namespace {

TEST(Report, GivesBackWhatWasRecordedInItsOrder) {
  Report report;
  report.Record("total_steps", 512);
  report.Record("episode/stat/cost", 1.5);
  EXPECT_EQ(report.Get("total_steps"), 512);
  EXPECT_EQ(report.Get("episode/stat/cost"), 1.5);
  ASSERT_EQ(report.values.size(), 2u);
  EXPECT_EQ(report.values[0].first, "total_steps");
}

TEST(Report, WhatWasNotRecordedIsNaN) {
  const Report report;
  EXPECT_FALSE(report.Has("train/entropy"));
  EXPECT_TRUE(std::isnan(report.Get("train/entropy")));
}

TEST(Report, ANameRecordedTwiceKeepsTheLastNumberOnce) {
  Report report;
  report.Record("update", 1);
  report.Record("update", 2);
  EXPECT_EQ(report.values.size(), 1u);
  EXPECT_EQ(report.Get("update"), 2);
}

TEST(Report, TheEpochIsTheFieldAndNotAValue) {
  Report report;
  report.Record("epoch", 7);
  EXPECT_EQ(report.epoch, 7);
  EXPECT_TRUE(report.values.empty());
  EXPECT_TRUE(report.Has("epoch"));
  EXPECT_EQ(report.Get("epoch"), 7);
}

TEST(ReportDeathTest, ANameThatTheTableDoesNotKnowIsABug) {
  Report report;
  EXPECT_DEATH(report.Record("train/policy_los", 1), "train/policy_los");
}

}  // namespace
}  // namespace dray
