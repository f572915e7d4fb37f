#include "src/cluster/kept_learner.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

TEST(KeptLearner, IsAskedForAfterEveryUpdateThatTakesLongerThanAnAnswer) {
  KeptLearner kept;
  for (int64_t update = 1; update <= 3; ++update) {
    const double now_s = 100.0 + 2 * static_cast<double>(update);
    EXPECT_TRUE(kept.OnUpdate(now_s));
    kept.Asked(now_s);
    kept.OnAnswer(now_s + 1.5, {update, 3 * update, "state"});
    EXPECT_EQ(kept.state().updates, update);
    EXPECT_EQ(kept.state().batches, 3 * update);
  }
}

TEST(KeptLearner, ShortUpdatesAreKeptATenthOfTheTime) {
  KeptLearner kept;
  ASSERT_TRUE(kept.OnUpdate(100));
  kept.Asked(100);
  EXPECT_FALSE(kept.OnUpdate(100.4));  // the answer is awaited
  kept.OnAnswer(101, {1, 1, "state"});
  EXPECT_FALSE(kept.OnUpdate(101.3));
  EXPECT_FALSE(kept.OnUpdate(101.9));
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(kept.OnUpdate(102.5 + i));
  EXPECT_TRUE(kept.OnUpdate(110.2));
}

TEST(KeptLearner, AnAnswerThatDoesNotComeDoesNotEndTheKeeping) {
  KeptLearner kept;
  ASSERT_TRUE(kept.OnUpdate(100));
  kept.Asked(100);
  kept.GiveUp();
  EXPECT_TRUE(kept.OnUpdate(101));
  EXPECT_EQ(kept.state().bytes, "");
}

}  // namespace
}  // namespace dray
