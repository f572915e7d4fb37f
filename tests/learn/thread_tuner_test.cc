#include "src/learn/cpu/thread_tuner.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace dray {
namespace {

using Seconds = std::function<double(int threads)>;

void Work(ThreadTuner& tuner, int times, const Seconds& seconds) {
  for (int i = 0; i < times; ++i) tuner.Took(seconds(tuner.threads()));
}

TEST(ThreadTuner, KeepsTheFastest) {
  ThreadTuner tuner(16);
  Work(tuner, 100, [](int threads) { return 1.0 / threads + 0.02 * threads; });
  EXPECT_EQ(tuner.threads(), 8);
}

TEST(ThreadTuner, TriesPowersOfTwoAndTheMost) {
  ThreadTuner tuner(12);
  std::set<int> tried;
  Work(tuner, 100, [&](int threads) {
    tried.insert(threads);
    return 1.0 / threads;
  });
  EXPECT_EQ(tried, (std::set<int>{1, 2, 4, 8, 12}));
  EXPECT_EQ(tuner.threads(), 12);
}

TEST(ThreadTuner, PrefersFewerThreadsThatAreAsFast) {
  ThreadTuner tuner(8);
  Work(tuner, 100, [](int threads) { return threads == 1 ? 1.0 : 0.5 - 0.001 * threads; });
  EXPECT_EQ(tuner.threads(), 2);
}

TEST(ThreadTuner, IsNotMisledByAPauseHereAndThere) {
  ThreadTuner tuner(4);
  int times = 0;
  Work(tuner, 100, [&](int threads) { return (++times % 4 == 0 ? 100 : 1) * (1.0 / threads); });
  EXPECT_EQ(tuner.threads(), 4);
}

TEST(ThreadTuner, NoticesThatTheMachineHasOtherWorkNow) {
  ThreadTuner tuner(2);
  Work(tuner, 1000, [](int threads) { return 1.0 / threads; });
  EXPECT_EQ(tuner.threads(), 2);
  Work(tuner, 10000, [](int threads) { return threads == 1 ? 1 : 1.5; });
  EXPECT_EQ(tuner.threads(), 1);
}

TEST(ThreadTuner, WithOneThreadThereIsNothingToTry) {
  ThreadTuner tuner(1);
  Work(tuner, 20000, [](int threads) {
    EXPECT_EQ(threads, 1);
    return 1.0;
  });
}

}  // namespace
}  // namespace dray
