#include "src/cluster/roles/histogram_text.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace dray {
namespace {

HeartbeatReply Beat(const std::vector<std::pair<int, int>>& batches, int limit) {
  HeartbeatReply beat;
  for (const auto& [size, count] : batches) {
    beat.add_batch_size(size);
    beat.add_batch_count(count);
    beat.set_problems(beat.problems() + size * count);
  }
  beat.set_calls(1234);
  beat.set_limit(limit);
  return beat;
}

TEST(HistogramText, OneLineForAPerson) {
  EXPECT_EQ(HistogramText("oracle-0", Beat({{1, 3}, {2, 4}, {31, 6}, {32, 87}}, 32)),
            "oracle-0: 1,234 calls, 2,981 problems, batches of 1: 3.0%, 2-7: 4.0%, 8-31: 6.0%, "
            "32: 87%");
}

TEST(HistogramText, SizesThatNeverCameAreLeftOut) {
  EXPECT_EQ(HistogramText("oracle-1", Beat({{40, 1}, {48, 3}}, 128)),
            "oracle-1: 1,234 calls, 184 problems, batches of 32-48: 100%");
  EXPECT_EQ(HistogramText("oracle-1", Beat({{1, 9}}, 1)),
            "oracle-1: 1,234 calls, 9 problems, batches of 1: 100%");
}

TEST(HistogramText, WhatMemoryDidNotHoldIsSaid) {
  HeartbeatReply beat = Beat({{64, 1}, {16, 3}}, 16);
  beat.set_splits(2);
  EXPECT_EQ(HistogramText("oracle-0", beat),
            "oracle-0: 1,234 calls, 112 problems, batches of 16: 75%, 32-64: 25%, 2 batches split "
            "for lack of memory, now 16 at most");
}

TEST(HistogramText, NothingSoFar) {
  EXPECT_EQ(HistogramText("oracle-0", {}), "oracle-0: no calls yet");
}

TEST(HistogramText, NumbersThatNoActorCountsDoNotOverflow) {
  HeartbeatReply beat;
  for (const int64_t size : {INT64_MAX, INT64_MIN, INT64_MAX - 1}) {
    beat.add_batch_size(size);
    beat.add_batch_count(size);
  }
  for (const int64_t limit : {INT64_MAX, INT64_MIN, int64_t{1}}) {
    beat.set_limit(limit);
    EXPECT_NE(HistogramText("oracle-0", beat), "");
  }
}

}  // namespace
}  // namespace dray
