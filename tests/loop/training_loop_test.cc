#include "src/loop/training_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dray {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

LoopSettings TwoShards(int max_policy_lag = 0) {
  LoopSettings settings;
  settings.shards = 2;
  settings.max_policy_lag = max_policy_lag;
  settings.epoch_limit = 3;
  return settings;
}

RolloutSummary Of(int shard, int64_t steps) {
  RolloutSummary summary;
  summary.origin.shard = shard;
  summary.steps = steps;
  return summary;
}

// The tickets of the updates among the commands that wait.
std::vector<Ticket> Updates(TrainingLoop& loop) {
  std::vector<Ticket> tickets;
  while (const auto command = loop.NextCommand()) {
    if (const auto* update = std::get_if<Update>(&*command)) {
      tickets.insert(tickets.end(), update->tickets.begin(), update->tickets.end());
    }
  }
  return tickets;
}

std::vector<int64_t> Steps(const std::vector<RolloutSummary>& rollouts) {
  std::vector<int64_t> steps;
  for (const RolloutSummary& rollout : rollouts) steps.push_back(rollout.steps);
  return steps;
}

TEST(TrainingLoop, AnUpdateHandsOverTheRolloutsItLearnedFromInItsOrder) {
  TrainingLoop loop(TwoShards());
  loop.Start();
  EXPECT_THAT(Updates(loop), IsEmpty());
  const Ticket second = loop.AddRollouts(1, {Of(1, 20)});
  const Ticket first = loop.AddRollouts(0, {Of(0, 10)});
  EXPECT_THAT(Updates(loop), ElementsAre(first, second));
  EXPECT_THAT(Steps(loop.TakeLearnedFrom()), ElementsAre(10, 20));
  EXPECT_THAT(loop.TakeLearnedFrom(), IsEmpty());
}

TEST(TrainingLoop, WhatWasLostWithTheLearnerIsNotLearnedFrom) {
  for (const LoopEvent& loss : {LoopEvent(LearnerLost{}), LoopEvent(UpdateLost{})}) {
    TrainingLoop loop(TwoShards());
    loop.Start();
    loop.AddRollouts(0, {Of(0, 10)});
    loop.AddRollouts(1, {Of(1, 20)});
    loop.Tell(loss);
    EXPECT_THAT(loop.TakeLearnedFrom(), IsEmpty());
  }
}

TEST(TrainingLoop, TicketsCountOnFromTheFirst) {
  TrainingLoop loop(TwoShards(), /*first_ticket=*/5);
  loop.Start();
  EXPECT_EQ(loop.AddRollouts(0, {Of(0, 10)}), 5);
  EXPECT_EQ(loop.next_ticket(), 6);
}

}  // namespace
}  // namespace dray
