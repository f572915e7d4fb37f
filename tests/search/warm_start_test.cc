#include "src/search/warm_start.h"

#include <gtest/gtest.h>

#include <limits>

namespace dray {
namespace {

FinishedTrial Finished(int order, double mean_return, const std::string& checkpoint) {
  FinishedTrial one;
  one.trial.order = order;
  one.result.mean_return = mean_return;
  one.result.checkpoint = checkpoint;
  return one;
}

TEST(NearestCheckpoint, IsThatOfTheNearestOrderThenOfTheBetterReturn) {
  const Orders orders(3);  // 012 021 102 120 201 210
  std::vector<FinishedTrial> trials;
  EXPECT_EQ(NearestCheckpoint(orders, 0, trials), "");
  trials.push_back(Finished(5, 0, "far"));
  EXPECT_EQ(NearestCheckpoint(orders, 0, trials), "far");
  trials.push_back(Finished(1, -50, "near"));
  EXPECT_EQ(NearestCheckpoint(orders, 0, trials), "near");
  trials.push_back(Finished(2, -40, "as near and better"));
  EXPECT_EQ(NearestCheckpoint(orders, 0, trials), "as near and better");
  trials.push_back(Finished(1, -40, "as good but later"));
  EXPECT_EQ(NearestCheckpoint(orders, 0, trials), "as near and better");
  trials.push_back(Finished(0, std::numeric_limits<double>::quiet_NaN(), "diverged"));
  trials.push_back(Finished(0, 100, ""));
  EXPECT_EQ(NearestCheckpoint(orders, 0, trials), "as near and better");
}

}  // namespace
}  // namespace dray
