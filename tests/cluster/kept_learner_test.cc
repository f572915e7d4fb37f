#include "src/cluster/kept_learner.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

TEST(KeptLearner, IsAskedForAfterEveryUpdateIfItMayTakeAllTheTime) {
  KeptLearner kept(1);
  for (int64_t update = 1; update <= 3; ++update) {
    const double now_s = 100.0 + 2 * static_cast<double>(update);
    EXPECT_TRUE(kept.ShouldAsk(now_s));
    kept.Asked(now_s);
    kept.OnAnswer(now_s + 1.5, {update, 3 * update, "state"});
    EXPECT_EQ(kept.state().updates, update);
    EXPECT_EQ(kept.state().batches, 3 * update);
  }
}

TEST(KeptLearner, FetchingItTakesItsShareOfTheTimeAtMost) {
  KeptLearner kept(0.125);
  ASSERT_TRUE(kept.ShouldAsk(100));
  kept.Asked(100);
  EXPECT_FALSE(kept.ShouldAsk(100.4));  // the answer is awaited
  kept.OnAnswer(101, {1, 1, "state"});
  EXPECT_FALSE(kept.ShouldAsk(101.3));
  EXPECT_FALSE(kept.ShouldAsk(107.9));
  EXPECT_TRUE(kept.ShouldAsk(108));
}

TEST(KeptLearner, AnAnswerThatDoesNotComeDoesNotEndTheKeeping) {
  KeptLearner kept(0.5);
  ASSERT_TRUE(kept.ShouldAsk(100));
  kept.Asked(100);
  kept.GiveUp();
  EXPECT_TRUE(kept.ShouldAsk(101));
  EXPECT_EQ(kept.state().bytes, "");
}

}  // namespace
}  // namespace dray
