#include "src/loop/stall_watch.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

TEST(StallWatch, SaysNothingWhileARunMoves) {
  StallWatch watch(20);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(watch.Look(1000 + 19 * i, i, "all wait"), "");
}

TEST(StallWatch, SaysWhoWaitsForWhatAndRepeatsItRarely) {
  StallWatch watch(20);
  std::string said;
  for (int second = 0; second <= 600; ++second) {
    const std::string line = watch.Look(1000 + second, 7, "the learner waits for shard-03");
    if (!line.empty()) said += line + "\n";
  }
  EXPECT_EQ(said,
            "No progress for 20s: the learner waits for shard-03\n"
            "No progress for 1m 00s: the learner waits for shard-03\n"
            "No progress for 3m 00s: the learner waits for shard-03\n"
            "No progress for 9m 00s: the learner waits for shard-03\n");
}

TEST(StallWatch, SaysWhenItMovesAgain) {
  StallWatch watch(20);
  watch.Look(0, 1, "");
  EXPECT_NE(watch.Look(25, 1, "a waits for b"), "");
  EXPECT_EQ(watch.Look(30, 2, ""), "It moves again, after 30s");
  EXPECT_EQ(watch.Look(49, 2, ""), "");
  EXPECT_EQ(watch.Look(51, 2, "c waits for d"), "No progress for 21s: c waits for d");
}

TEST(StallWatch, AStandThatWasTooShortToTellOfEndsInSilence) {
  StallWatch watch(20);
  watch.Look(0, 1, "");
  watch.Look(19, 1, "");
  EXPECT_EQ(watch.Look(19.5, 2, ""), "");
}

}  // namespace
}  // namespace dray
