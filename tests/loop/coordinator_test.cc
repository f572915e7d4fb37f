#include "src/loop/coordinator.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "src/base/error.h"
#include "tests/loop/command_text.h"

namespace dray {
namespace {

// Settings without reports before the last, so that a script shows only what it is about.
LoopSettings Settings(int shards, int64_t epochs) {
  LoopSettings settings;
  settings.shards = shards;
  settings.epoch_limit = epochs;
  settings.log_interval = 0;
  return settings;
}

LoopSettings Asynchronous(int shards, int64_t epochs, int max_policy_lag) {
  LoopSettings settings = Settings(shards, epochs);
  settings.max_policy_lag = max_policy_lag;
  return settings;
}

// A loop whose commands are read as text. Batches get tickets 1, 2, 3, ...
class Script {
 public:
  explicit Script(const LoopSettings& settings) : loop(settings) {}

  std::string Start() { return TextOf(loop.Start()); }
  std::string On(const LoopEvent& event) { return TextOf(loop.On(event)); }
  std::string Collected(int shard, int64_t version) {
    return On(dray::Collected{shard, ++tickets, version, /*steps=*/10, /*episodes=*/2});
  }
  std::string Updated(int64_t version) { return On(dray::Updated{version}); }

  Coordinator loop;
  Ticket tickets = 0;
};

// The share of the run that the next update is told, after one rollout of every shard.
double RemainingOfNextUpdate(Script& script, int shards) {
  const int64_t version = script.loop.counters().policy_version;
  for (int i = 0;; i = (i + 1) % shards) {
    const auto commands = script.loop.On(Collected{i, ++script.tickets, version, 10, 2});
    for (const LoopCommand& command : commands)
      if (const auto* update = std::get_if<Update>(&command)) return update->remaining;
  }
}

TEST(Coordinator, AnUpdateTakesOneBatchOfEachShardInTheirOrderHoweverTheyArrive) {
  Script script(Settings(3, /*epochs=*/2));
  EXPECT_EQ(script.Start(), "collect 0, collect 1, collect 2");
  EXPECT_EQ(script.Collected(2, 0), "");
  EXPECT_EQ(script.Collected(0, 0), "");
  EXPECT_EQ(script.Collected(1, 0), "update 2 3 1");
}

TEST(Coordinator, NoShardActsWhileTheLearnerUpdates) {
  Script script(Settings(2, /*epochs=*/2));
  script.Start();
  script.Collected(0, 0);
  EXPECT_EQ(script.Collected(1, 0), "update 1 2");
  EXPECT_EQ(script.On(ShardLost{1}), "respawn 1");
  EXPECT_EQ(script.On(ShardReady{1}), "");
  EXPECT_EQ(script.Updated(1), "collect 0, collect 1");
}

TEST(Coordinator, AnUpdateMayTakeSeveralEpochsAndTheLastOneWhatIsLeft) {
  LoopSettings settings = Settings(2, /*epochs=*/5);
  settings.update_interval = 3;
  Script script(settings);
  EXPECT_EQ(script.Start(), "collect 0, collect 1");
  EXPECT_EQ(script.Collected(0, 0), "collect 0");
  EXPECT_EQ(script.Collected(0, 0), "collect 0");
  EXPECT_EQ(script.Collected(0, 0), "");  // has its three: waits
  EXPECT_EQ(script.Collected(1, 0), "collect 1");
  EXPECT_EQ(script.Collected(1, 0), "collect 1");
  EXPECT_EQ(script.Collected(1, 0), "update 1 2 3 4 5 6");
  EXPECT_EQ(script.Updated(1), "collect 0, collect 1");
  EXPECT_EQ(script.loop.counters().epochs, 3);
  EXPECT_EQ(script.Collected(0, 1), "collect 0");
  EXPECT_EQ(script.Collected(1, 1), "collect 1");
  EXPECT_EQ(script.Collected(1, 1), "");
  EXPECT_EQ(script.Collected(0, 1), "update 7 10 8 9");
  EXPECT_EQ(script.Updated(2), "evaluate");
  EXPECT_EQ(script.loop.counters().epochs, 5);
  EXPECT_EQ(script.loop.counters().updates, 2);
  EXPECT_EQ(script.loop.progress(), 1);
}

TEST(Coordinator, TheRemainingShareFallsFromOneToOneUpdate) {
  LoopSettings settings = Settings(2, /*epochs=*/7);
  settings.update_interval = 2;
  Script script(settings);
  script.Start();
  for (const double expected : {1.0, 0.75, 0.5, 0.25}) {
    EXPECT_DOUBLE_EQ(RemainingOfNextUpdate(script, 2), expected);
    script.Updated(script.loop.counters().policy_version + 1);
  }
  EXPECT_EQ(script.loop.progress(), 1);
}

TEST(Coordinator, TheNextUpdateIsForeseenWhileEveryShardCollectsForIt) {
  Script script(Settings(2, /*epochs=*/4));
  EXPECT_EQ(script.loop.ForeseenUpdate(), std::nullopt);  // nobody collects yet
  script.Start();
  EXPECT_EQ(script.loop.ForeseenUpdate(), 1);
  script.Collected(0, 0);
  EXPECT_EQ(script.loop.ForeseenUpdate(), std::nullopt);  // not of rollouts under way alone
  EXPECT_EQ(script.Collected(1, 0), "update 1 2");
  EXPECT_EQ(script.loop.ForeseenUpdate(), std::nullopt);
  script.Updated(1);
  EXPECT_EQ(script.loop.ForeseenUpdate(), 0.75);
  // A learner that was lost publishes anew: rollouts of its old policy are dropped.
  script.On(LearnerLost{});
  script.Collected(0, 1);
  EXPECT_EQ(script.On(LearnerRestored{1, 2}), "drop 3, collect 0");
  EXPECT_EQ(script.loop.ForeseenUpdate(), std::nullopt);
}

TEST(Coordinator, NoUpdateIsForeseenOfSeveralEpochsOrWithALag) {
  LoopSettings several = Settings(2, /*epochs=*/4);
  several.update_interval = 2;
  for (const LoopSettings& settings : {several, Asynchronous(2, /*epochs=*/4, 1)}) {
    Script script(settings);
    script.Start();
    EXPECT_EQ(script.loop.ForeseenUpdate(), std::nullopt);
  }
}

TEST(Coordinator, RolloutsAreForeseenWhileTheUpdateBeforeThemIsUnderWay) {
  Script script(Settings(2, /*epochs=*/4));
  script.Start();
  script.Collected(0, 0);
  EXPECT_EQ(script.loop.ForeseeRollouts(), std::nullopt);  // no update is under way
  script.Collected(1, 0);
  EXPECT_EQ(script.loop.ForeseeRollouts(), 0.25);
  EXPECT_EQ(script.Updated(1), "collect 0, collect 1");
  EXPECT_EQ(script.loop.progress(), 0.25);
}

TEST(Coordinator, NoRolloutsAreForeseenBeforeABoundaryThatDoesMoreThanReport) {
  const auto foreseen = [](LoopSettings settings, const std::function<void(Coordinator&)>& ask) {
    Script script(settings);
    script.Start();
    script.Collected(0, 0);
    ask(script.loop);
    return script.loop.ForeseeRollouts().has_value();
  };
  const auto nothing = [](Coordinator&) {};
  LoopSettings settings = Settings(1, /*epochs=*/4);
  settings.log_interval = 1;
  EXPECT_TRUE(foreseen(settings, nothing));
  EXPECT_FALSE(foreseen(Settings(1, /*epochs=*/1), nothing));
  EXPECT_FALSE(foreseen(Asynchronous(1, /*epochs=*/4, 1), nothing));
  LoopSettings evaluates = settings, saves = settings, has_goal = settings;
  evaluates.evaluation_interval = saves.save_interval = 1;
  has_goal.has_goal = true;
  for (const LoopSettings& more : {evaluates, saves, has_goal}) {
    EXPECT_FALSE(foreseen(more, nothing));
  }
  EXPECT_FALSE(foreseen(settings, [](Coordinator& loop) { loop.RequestCheckpoint(); }));
  EXPECT_FALSE(foreseen(settings, [](Coordinator& loop) { loop.RequestEvaluation(); }));
  EXPECT_FALSE(foreseen(settings, [](Coordinator& loop) { loop.SetTimeShare(1); }));
  EXPECT_FALSE(foreseen(settings, [](Coordinator& loop) { loop.On(StopRequested{}); }));
}

TEST(Coordinator, WhatIsRequestedBehindForeseenRolloutsWaitsForTheUpdateAfterThem) {
  LoopSettings settings = Settings(1, /*epochs=*/8);
  settings.log_interval = 1;
  Script script(settings);
  script.Start();
  script.Collected(0, 0);
  EXPECT_TRUE(script.loop.ForeseeRollouts());
  script.loop.RequestEvaluation();
  script.loop.RequestCheckpoint();
  EXPECT_EQ(script.Updated(1), "report, collect 0");
  EXPECT_EQ(script.Collected(0, 1), "update 2");
  EXPECT_EQ(script.Updated(2), "evaluate");
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "collect 0");
  script.Collected(0, 2);
  EXPECT_TRUE(script.loop.ForeseeRollouts());
  EXPECT_EQ(script.On(StopRequested{}), "");
  script.loop.SetTimeShare(1);
  EXPECT_EQ(script.Updated(3), "report, collect 0");
  EXPECT_EQ(script.Collected(0, 3), "update 4");
  EXPECT_EQ(script.Updated(4), "evaluate");
}

TEST(Coordinator, ALostUpdateTakesItsForeseenRolloutsWithIt) {
  for (const LoopEvent& loss : {LoopEvent(UpdateLost{}), LoopEvent(LearnerLost{})}) {
    Script script(Settings(1, /*epochs=*/8));
    script.Start();
    script.Collected(0, 0);
    EXPECT_TRUE(script.loop.ForeseeRollouts());
    script.On(loss);
    script.On(LearnerRestored{0, 0});
    const int64_t version = script.loop.counters().policy_version;
    EXPECT_EQ(script.Collected(0, version), "update 2");
    script.loop.RequestEvaluation();
    EXPECT_EQ(script.Updated(version + 1), "evaluate");
  }
}

TEST(Coordinator, TheRemainingShareStaysPositiveWhenARunIsMadeLonger) {
  LoopSettings settings = Settings(1, /*epochs=*/1);
  settings.update_interval = 3;
  Script shorter(settings);
  shorter.Start();
  shorter.Collected(0, 0);
  shorter.Updated(1);
  settings.epoch_limit = 2;
  Script longer(settings);
  longer.loop.Load(shorter.loop.Save());
  EXPECT_EQ(longer.Start(), "collect 0");
  EXPECT_DOUBLE_EQ(RemainingOfNextUpdate(longer, 1), 0.5);
}

TEST(Coordinator, ABoundaryEvaluatesThenReportsThenSaves) {
  LoopSettings settings = Settings(1, /*epochs=*/9);
  settings.evaluation_interval = settings.log_interval = settings.save_interval = 1;
  Script script(settings);
  script.Start();
  EXPECT_EQ(script.Collected(0, 0), "update 1");
  EXPECT_EQ(script.Updated(1), "evaluate");
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "collect 0");
}

TEST(Coordinator, EachPartOfABoundaryHasItsOwnIntervalAndTheLastHasThemAll) {
  LoopSettings settings = Settings(1, /*epochs=*/7);
  settings.log_interval = 2;
  settings.save_interval = 3;
  settings.evaluation_interval = 5;
  Script script(settings);
  script.Start();
  const std::map<int, std::string> at_boundary = {
      {1, "collect 0"}, {2, "report, collect 0"},  {3, "checkpoint"}, {4, "report, collect 0"},
      {5, "evaluate"},  {6, "report, checkpoint"}, {7, "evaluate"}};
  for (const auto& [epoch, commands] : at_boundary) {
    script.Collected(0, epoch - 1);
    EXPECT_EQ(script.Updated(epoch), commands) << epoch;
    if (epoch == 5) {
      EXPECT_EQ(script.On(Evaluated{}), "report, collect 0");
    }
    if (epoch % 3 == 0) {
      EXPECT_EQ(script.On(Checkpointed{}), "collect 0");
    }
  }
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
  EXPECT_TRUE(script.loop.finished());
}

TEST(Coordinator, AnIntervalShorterThanAnUpdateIsDueOncePerUpdate) {
  LoopSettings settings = Settings(1, /*epochs=*/8);
  settings.update_interval = 4;
  settings.log_interval = 2;
  settings.save_interval = 3;
  Script script(settings);
  script.Start();
  for (int i = 0; i < 4; ++i) script.Collected(0, 0);
  EXPECT_EQ(script.Updated(1), "report, checkpoint");
}

TEST(Coordinator, AnEvaluationOrAReportThatIsAskedForComesAfterTheUpdateOnce) {
  Script script(Settings(1, /*epochs=*/9));
  script.Start();
  script.loop.RequestEvaluation();
  script.Collected(0, 0);
  EXPECT_EQ(script.Updated(1), "evaluate");
  EXPECT_EQ(script.On(Evaluated{}), "report, collect 0");
  script.loop.RequestReport();
  script.Collected(0, 1);
  EXPECT_EQ(script.Updated(2), "report, collect 0");
  script.Collected(0, 2);
  EXPECT_EQ(script.Updated(3), "collect 0");
}

TEST(Coordinator, ACheckpointAskedForDuringAnEvaluationIsTakenAtThisBoundary) {
  LoopSettings settings = Settings(1, /*epochs=*/9);
  settings.evaluation_interval = 1;
  Script script(settings);
  script.Start();
  script.Collected(0, 0);
  EXPECT_EQ(script.Updated(1), "evaluate");
  script.loop.RequestCheckpoint();
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  script.loop.RequestCheckpoint();  // the one under way is meant
  EXPECT_EQ(script.On(Checkpointed{}), "collect 0");
  script.Collected(0, 1);
  EXPECT_EQ(script.Updated(2), "evaluate");
  EXPECT_EQ(script.On(Evaluated{}), "report, collect 0");
}

TEST(Coordinator, ACheckpointAskedForDuringARolloutIsTakenAtTheNextBoundary) {
  Script script(Settings(1, /*epochs=*/9));
  script.Start();
  script.loop.RequestCheckpoint();
  EXPECT_EQ(script.Collected(0, 0), "update 1");
  EXPECT_EQ(script.Updated(1), "checkpoint");
}

TEST(Coordinator, AStopEndsTheRunAtTheNextBoundaryWithACheckpoint) {
  Script script(Settings(1, /*epochs=*/9));
  script.Start();
  EXPECT_EQ(script.On(StopRequested{}), "");
  EXPECT_TRUE(script.loop.stopping());
  EXPECT_EQ(script.Collected(0, 0), "update 1");
  EXPECT_EQ(script.Updated(1), "checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
}

TEST(Coordinator, AGoalThatIsReachedEndsTheRunLikeALimit) {
  Script script(Settings(1, /*epochs=*/50));
  script.Start();
  EXPECT_EQ(script.Collected(0, 0), "update 1");
  script.loop.ReachGoal();
  EXPECT_EQ(script.Updated(1), "evaluate");
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
  EXPECT_EQ(script.loop.progress(), 1);
  Script resumed(Settings(1, /*epochs=*/50));
  resumed.loop.Load(script.loop.Save());
  EXPECT_EQ(resumed.Start(), "finish");
}

TEST(Coordinator, ARunThatIsAsLongAsItsTimeFollowsTheClockAndEndsLikeALimit) {
  Script script(Settings(1, /*epochs=*/0));
  script.Start();
  EXPECT_DOUBLE_EQ(RemainingOfNextUpdate(script, 1), 1);
  script.Updated(1);
  script.loop.SetTimeShare(0.25);
  EXPECT_DOUBLE_EQ(script.loop.progress(), 0.25);
  EXPECT_DOUBLE_EQ(RemainingOfNextUpdate(script, 1), 0.75);
  script.loop.SetTimeShare(1.1);
  EXPECT_EQ(script.Updated(2), "evaluate");
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
  EXPECT_EQ(script.loop.progress(), 1);
  // With more time it goes on.
  Script longer(Settings(1, /*epochs=*/0));
  longer.loop.Load(script.loop.Save());
  longer.loop.SetTimeShare(0.5);
  EXPECT_EQ(longer.Start(), "collect 0");
}

TEST(Coordinator, TimeThatIsUpWhileACheckpointIsTakenStillEndsWithAnEvaluation) {
  LoopSettings settings = Settings(1, /*epochs=*/0);
  settings.save_interval = 1;
  Script script(settings);
  script.Start();
  script.Collected(0, 0);
  EXPECT_EQ(script.Updated(1), "checkpoint");
  script.loop.SetTimeShare(1.1);
  EXPECT_EQ(script.On(Checkpointed{}), "collect 0");
  script.Collected(0, 1);
  EXPECT_EQ(script.Updated(2), "evaluate");
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
}

TEST(Coordinator, AStopDuringABoundaryEndsTheRunAtThatBoundary) {
  LoopSettings settings = Settings(1, /*epochs=*/9);
  settings.evaluation_interval = settings.save_interval = 1;
  Script script(settings);
  script.Start();
  script.Collected(0, 0);
  EXPECT_EQ(script.Updated(1), "evaluate");
  EXPECT_EQ(script.On(StopRequested{}), "");
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(script.On(StopRequested{}), "");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
}

TEST(Coordinator, AStopWhileTheLearnerIsRestoredAtABoundaryStillSaves) {
  LoopSettings settings = Settings(1, /*epochs=*/9);
  settings.evaluation_interval = 1;
  Script script(settings);
  script.Start();
  script.Collected(0, 0);
  EXPECT_EQ(script.Updated(1), "evaluate");
  EXPECT_EQ(script.On(LearnerLost{}), "restore");
  EXPECT_EQ(script.On(StopRequested{}), "");
  EXPECT_EQ(script.On(Evaluated{}), "");
  EXPECT_EQ(script.On(LearnerRestored{}), "report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
}

TEST(Coordinator, ARunThatIsOverFinishesAtOnce) {
  Script script(Settings(1, /*epochs=*/1));
  script.Start();
  script.Collected(0, 0);
  script.Updated(1);
  Script resumed(Settings(1, /*epochs=*/1));
  resumed.loop.Load(script.loop.Save());
  EXPECT_EQ(resumed.Start(), "finish");
  EXPECT_TRUE(resumed.loop.finished());
}

TEST(Coordinator, AResumedRunGoesOnWithItsCounters) {
  Script script(Settings(1, /*epochs=*/2));
  script.Start();
  script.Collected(0, 0);
  script.Updated(1);
  Script resumed(Settings(1, /*epochs=*/2));
  resumed.loop.Load(script.loop.Save());
  EXPECT_EQ(resumed.Start(), "collect 0");
  EXPECT_EQ(resumed.loop.counters().policy_version, 1);
  EXPECT_DOUBLE_EQ(RemainingOfNextUpdate(resumed, 1), 0.5);
  EXPECT_EQ(resumed.Updated(2), "evaluate");
  EXPECT_EQ(resumed.loop.counters().total_steps, 20);
  EXPECT_EQ(resumed.loop.counters().completed_episodes, 4);
}

TEST(Coordinator, CountersWithoutAnAccountOfBatchesBeginOne) {
  Coordinator loop(Settings(1, /*epochs=*/9));
  LoopCounters before;
  before.updates = 4;
  before.batches_dropped = 2;
  before.batches_lost = 1;
  std::string state(reinterpret_cast<const char*>(&before), sizeof(before));
  state.resize(state.size() - 4 * sizeof(int64_t));
  loop.Load(state);
  EXPECT_EQ(loop.counters().updates, 4);
  EXPECT_EQ(loop.counters().batches_collected, 3);
  EXPECT_EQ(loop.counters().batches_trained, 0);
}

TEST(Coordinator, DamagedCountersAreAnError) {
  Coordinator loop(Settings(1, 1));
  EXPECT_THROW(loop.Load("short"), Error);
}

TEST(Coordinator, AnEpisodeLimitCountsEpisodesThatWereLearnedFrom) {
  LoopSettings settings = Settings(2, /*epochs=*/0);
  settings.episode_limit = 5;  // an update brings 4
  Script script(settings);
  script.Start();
  EXPECT_DOUBLE_EQ(RemainingOfNextUpdate(script, 2), 1);
  EXPECT_EQ(script.Updated(1), "collect 0, collect 1");
  EXPECT_DOUBLE_EQ(script.loop.progress(), 0.8);
  EXPECT_DOUBLE_EQ(RemainingOfNextUpdate(script, 2), 1 - 0.8);
  EXPECT_EQ(script.Updated(2), "evaluate");
  EXPECT_EQ(script.On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
}

TEST(CoordinatorAsynchronous, ShardsGoOnWhileTheLearnerUpdates) {
  Script script(Asynchronous(2, /*epochs=*/9, /*max_policy_lag=*/2));
  EXPECT_EQ(script.Start(), "collect 0, collect 1");
  EXPECT_EQ(script.Collected(1, 0), "collect 1");
  EXPECT_EQ(script.Collected(1, 0), "update 1 2, collect 1");  // the fast shard's two
  EXPECT_EQ(script.Collected(0, 0), "collect 0");
  EXPECT_EQ(script.Collected(1, 0), "collect 1");
  EXPECT_EQ(script.Updated(1), "update 3 4");
}

TEST(CoordinatorAsynchronous, AShardDoesNotBeginWhatWouldBeTooOldWhenItIsFed) {
  Script script(Asynchronous(2, /*epochs=*/9, /*max_policy_lag=*/1));
  script.Start();
  EXPECT_EQ(script.Collected(0, 0), "collect 0");
  EXPECT_EQ(script.Collected(1, 0), "update 1 2, collect 1");
  // Fed after the update under way they are one version old; further ones would be two.
  EXPECT_EQ(script.Collected(0, 0), "");
  EXPECT_EQ(script.Collected(1, 0), "");
  EXPECT_EQ(script.Updated(1), "update 3 4, collect 0, collect 1");
}

TEST(CoordinatorAsynchronous, AShardFarAheadWaits) {
  Script script(Asynchronous(2, /*epochs=*/9, /*max_policy_lag=*/5));
  script.Start();
  EXPECT_EQ(script.Collected(1, 0), "collect 1");
  EXPECT_EQ(script.Collected(1, 0), "update 1 2, collect 1");
  EXPECT_EQ(script.Collected(1, 0), "collect 1");
  EXPECT_EQ(script.Collected(1, 0), "");  // two wait
  EXPECT_EQ(script.Updated(1), "update 3 4, collect 1");
}

TEST(CoordinatorAsynchronous, BatchesThatAreTooOldAreDroppedAndCounted) {
  Script script(Asynchronous(2, /*epochs=*/9, /*max_policy_lag=*/1));
  script.Start();
  script.Collected(1, 0);
  EXPECT_EQ(script.Collected(1, 0), "update 1 2, collect 1");
  EXPECT_EQ(script.Updated(1), "");
  EXPECT_EQ(script.Collected(1, 1), "collect 1");
  EXPECT_EQ(script.Collected(1, 1), "update 3 4, collect 1");
  EXPECT_EQ(script.Updated(2), "");
  EXPECT_EQ(script.Collected(0, 0), "drop 5, collect 0");  // began before both updates
  EXPECT_EQ(script.Collected(1, 1), "collect 1");          // one update old: used
  EXPECT_EQ(script.Collected(0, 2), "update 7 6, collect 0");
  EXPECT_EQ(script.loop.counters().batches_dropped, 1);
  EXPECT_EQ(script.loop.counters().total_steps, 40);
}

TEST(CoordinatorAsynchronous, ACheckpointWaitsUntilEveryShardRests) {
  LoopSettings settings = Asynchronous(2, /*epochs=*/9, /*max_policy_lag=*/1);
  settings.save_interval = 1;
  Script script(settings);
  script.Start();
  script.Collected(1, 0);
  EXPECT_EQ(script.Collected(1, 0), "update 1 2, collect 1");
  EXPECT_EQ(script.Updated(1), "");
  EXPECT_EQ(script.Collected(0, 0), "");
  EXPECT_EQ(script.Collected(1, 0), "checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "update 3 4, collect 0, collect 1");
}

TEST(CoordinatorAsynchronous, WhatWaitsAtTheEndIsDropped) {
  Script script(Asynchronous(1, /*epochs=*/1, /*max_policy_lag=*/1));
  script.Start();
  EXPECT_EQ(script.Collected(0, 0), "update 1, collect 0");
  EXPECT_EQ(script.Updated(1), "evaluate");
  EXPECT_EQ(script.Collected(0, 0), "");
  // Before the report and the checkpoint, so that both count it.
  EXPECT_EQ(script.On(Evaluated{}), "drop 2, report, checkpoint");
  EXPECT_EQ(script.On(Checkpointed{}), "finish");
}

TEST(CoordinatorAsynchronous, ACheckpointCountsWhatWaitsAsDropped) {
  Coordinator loop(Asynchronous(1, /*epochs=*/2, /*max_policy_lag=*/1));
  loop.Start();
  loop.On(Collected{0, 1, 0, 8, 0});
  loop.On(Collected{0, 2, 0, 8, 0});
  Coordinator resumed(Asynchronous(1, /*epochs=*/2, /*max_policy_lag=*/1));
  resumed.Load(loop.Save());
  EXPECT_EQ(loop.counters().batches_dropped, 0);
  EXPECT_EQ(resumed.counters().batches_dropped, 1);
}

}  // namespace
}  // namespace dray
