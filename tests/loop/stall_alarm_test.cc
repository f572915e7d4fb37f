#include "src/loop/stall_alarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace dray {
namespace {

TEST(StallAlarm, SpeaksOnItsOwnThreadWhileNothingElseMoves) {
  std::promise<std::string> told;
  std::atomic<bool> first = true;
  StallAlarm alarm(
      0.05,
      [] {
        return StallAlarm::Sign{3, "the learner waits for shard-03"};
      },
      [&](const std::string& line) {
        if (first.exchange(false)) told.set_value(line);
      });
  EXPECT_THAT(told.get_future().get(), testing::EndsWith(": the learner waits for shard-03"));
}

TEST(StallAlarm, IsSilentWhileTheRunMoves) {
  std::atomic<int64_t> moves = 0;
  std::promise<void> looked_often;
  std::atomic<int> lines = 0;
  {
    StallAlarm alarm(
        0.01,
        [&] {
          if (++moves == 50) looked_often.set_value();
          return StallAlarm::Sign{moves, "nobody waits"};
        },
        [&](const std::string&) { ++lines; });
    looked_often.get_future().wait();
  }
  EXPECT_EQ(lines, 0);
}

}  // namespace
}  // namespace dray
