#include <gtest/gtest.h>

#include "src/loop/coordinator.h"
#include "tests/loop/command_text.h"
#include "tests/loop/simulated_cluster.h"

namespace dray {
namespace {

// One shard or two, a loop that reports at its end alone, and batches with tickets 1, 2, 3, ...
class CoordinatorLosses : public testing::Test {
 protected:
  void Begin(int shards, int64_t epochs, int max_policy_lag = 0) {
    settings.shards = shards;
    settings.epoch_limit = epochs;
    settings.max_policy_lag = max_policy_lag;
    settings.log_interval = 0;
    loop = Coordinator(settings);
    loop.Start();
  }
  std::string On(const LoopEvent& event) { return TextOf(loop.On(event)); }
  std::string Batch(int shard, int64_t version) {
    return On(Collected{shard, ++tickets, version, /*steps=*/10, /*episodes=*/2});
  }
  const LoopCounters& counters() const { return loop.counters(); }

  LoopSettings settings;
  Coordinator loop{settings};
  Ticket tickets = 0;
};

TEST_F(CoordinatorLosses, AShardLostInARolloutIsReplacedAndCollectsAgain) {
  Begin(/*shards=*/2, /*epochs=*/1);
  EXPECT_EQ(Batch(0, 0), "");
  EXPECT_EQ(On(ShardLost{1}), "respawn 1");
  EXPECT_EQ(On(ShardReady{1}), "collect 1");
  EXPECT_EQ(Batch(1, 0), "update 1 2");
  EXPECT_EQ(counters().batches_lost, 1);
  EXPECT_EQ(counters().actors_restarted, 1);
}

TEST_F(CoordinatorLosses, AShardWhoseWeightsWereLostCollectsAgain) {
  Begin(/*shards=*/2, /*epochs=*/1);
  EXPECT_EQ(Batch(0, 0), "");
  EXPECT_EQ(On(RolloutLost{0}), "");  // it was at rest
  EXPECT_EQ(On(RolloutLost{1}), "collect 1");
  EXPECT_EQ(Batch(1, 0), "update 1 2");
  EXPECT_EQ(counters().batches_lost, 1);
  EXPECT_EQ(counters().actors_restarted, 0);
}

TEST_F(CoordinatorLosses, AShardLostAtRestLosesNoBatch) {
  Begin(/*shards=*/2, /*epochs=*/1);
  EXPECT_EQ(Batch(0, 0), "");
  EXPECT_EQ(On(ShardLost{0}), "respawn 0");
  EXPECT_EQ(Batch(1, 0), "update 1 2");
  EXPECT_EQ(counters().batches_lost, 0);
  EXPECT_EQ(counters().actors_restarted, 1);
}

TEST_F(CoordinatorLosses, AShardMayBeLostAgainWhileItIsReplaced) {
  Begin(/*shards=*/1, /*epochs=*/1);
  EXPECT_EQ(On(ShardLost{0}), "respawn 0");
  EXPECT_EQ(On(ShardLost{0}), "respawn 0");
  EXPECT_EQ(On(ShardReady{0}), "collect 0");
  EXPECT_EQ(counters().batches_lost, 1);
  EXPECT_EQ(counters().actors_restarted, 2);
}

TEST_F(CoordinatorLosses, ALateAnswerOfAShardThatWasGivenUpIsDropped) {
  Begin(/*shards=*/1, /*epochs=*/1);
  EXPECT_EQ(On(ShardLost{0}), "respawn 0");
  EXPECT_EQ(Batch(0, 0), "drop 1");
  EXPECT_EQ(On(ShardReady{0}), "collect 0");
  EXPECT_EQ(Batch(0, 0), "update 2");
  // It is counted once, as lost with its shard.
  EXPECT_EQ(counters().batches_dropped, 0);
  EXPECT_EQ(counters().batches_lost, 1);
}

TEST_F(CoordinatorLosses, ABatchToldTwiceCountsOnce) {
  Begin(/*shards=*/2, /*epochs=*/9, /*max_policy_lag=*/1);
  EXPECT_EQ(Batch(0, 0), "collect 0");
  EXPECT_EQ(On(Collected{0, tickets, 0, 10, 2}), "");
  EXPECT_EQ(Batch(1, 0), "update 1 2, collect 1");
  EXPECT_EQ(On(Collected{1, tickets, 0, 10, 2}), "");
  EXPECT_EQ(counters().batches_dropped, 0);
}

TEST_F(CoordinatorLosses, ALearnerLostInAnUpdateLosesItsBatchesAndRaisesTheVersion) {
  Begin(/*shards=*/2, /*epochs=*/1);
  Batch(0, 0);
  EXPECT_EQ(Batch(1, 0), "update 1 2");
  EXPECT_EQ(On(LearnerLost{}), "restore");
  EXPECT_EQ(On(LearnerRestored{}), "collect 0, collect 1");
  EXPECT_EQ(counters().batches_lost, 2);
  EXPECT_EQ(counters().policy_version, 1);
  EXPECT_EQ(counters().updates, 0);
  EXPECT_EQ(counters().actors_restarted, 1);
}

TEST_F(CoordinatorLosses, UpdatesThatTheRestoredLearnerDoesNotHaveAreUndone) {
  Begin(/*shards=*/1, /*epochs=*/9);
  Batch(0, 0);
  On(Updated{1});
  Batch(0, 1);
  On(Updated{2});
  Batch(0, 2);
  On(LearnerLost{});
  On(LearnerRestored{/*updates=*/1, /*batches=*/1});
  EXPECT_EQ(counters().updates, 2);
  EXPECT_EQ(counters().updates_undone, 1);
  EXPECT_EQ(counters().batches_undone, 1);
  EXPECT_EQ(counters().batches_trained, 1);
  EXPECT_EQ(counters().batches_lost, 1);
  Batch(0, 3);
  On(Updated{4});
  EXPECT_EQ(counters().batches_trained, 2);
  // From the same state once more: what was undone before is not undone again.
  On(LearnerLost{});
  On(LearnerRestored{/*updates=*/1, /*batches=*/1});
  EXPECT_EQ(counters().updates_undone, 2);
  EXPECT_EQ(counters().batches_undone, 2);
  EXPECT_EQ(counters().standing_updates(), 1);
}

TEST_F(CoordinatorLosses, ALearnerMayBeLostAgainWhileItIsRestored) {
  Begin(/*shards=*/1, /*epochs=*/1);
  EXPECT_EQ(Batch(0, 0), "update 1");
  EXPECT_EQ(On(LearnerLost{}), "restore");
  EXPECT_EQ(On(LearnerLost{}), "restore");
  EXPECT_EQ(On(LearnerRestored{}), "collect 0");
  EXPECT_EQ(counters().batches_lost, 1);
  EXPECT_EQ(counters().actors_restarted, 2);
}

TEST_F(CoordinatorLosses, ALearnerLostInARolloutMakesItsBatchesOffPolicy) {
  Begin(/*shards=*/2, /*epochs=*/1);
  EXPECT_EQ(Batch(1, 0), "");
  EXPECT_EQ(On(LearnerLost{}), "restore");
  EXPECT_EQ(On(LearnerRestored{}), "drop 1, collect 1");
  EXPECT_EQ(Batch(0, 0), "drop 2, collect 0");
  EXPECT_EQ(Batch(0, 1), "");
  EXPECT_EQ(Batch(1, 1), "update 3 4");
  EXPECT_EQ(counters().batches_dropped, 2);
  EXPECT_EQ(counters().batches_lost, 0);
}

TEST_F(CoordinatorLosses, ALateAnswerOfALearnerThatWasGivenUpIsIgnored) {
  Begin(/*shards=*/1, /*epochs=*/2);
  Batch(0, 0);
  EXPECT_EQ(On(LearnerLost{}), "restore");
  EXPECT_EQ(On(Updated{1}), "");
  EXPECT_EQ(On(LearnerRestored{}), "collect 0");
  EXPECT_EQ(Batch(0, 1), "update 2");
  EXPECT_EQ(On(Updated{1}), "");
  EXPECT_EQ(counters().updates, 0);
  EXPECT_EQ(On(Updated{2}), "collect 0");
  EXPECT_EQ(counters().updates, 1);
}

TEST_F(CoordinatorLosses, ALearnerLostAtTheLastBoundaryCausesNoFurtherUpdate) {
  Begin(/*shards=*/1, /*epochs=*/1);
  Batch(0, 0);
  EXPECT_EQ(On(Updated{1}), "evaluate");
  EXPECT_EQ(On(LearnerLost{}), "restore");
  EXPECT_EQ(On(Evaluated{}), "");
  EXPECT_EQ(On(LearnerRestored{}), "report, checkpoint");
  EXPECT_EQ(On(Checkpointed{}), "finish");
  EXPECT_EQ(counters().updates, 1);
}

TEST_F(CoordinatorLosses, ACheckpointIsTakenAgainWhenARoleWasLostMeanwhile) {
  Begin(/*shards=*/2, /*epochs=*/1);
  Batch(0, 0);
  Batch(1, 0);
  On(Updated{1});
  EXPECT_EQ(On(Evaluated{}), "report, checkpoint");
  EXPECT_EQ(On(ShardLost{1}), "respawn 1");
  EXPECT_EQ(On(ShardReady{1}), "checkpoint");
  EXPECT_EQ(On(LearnerLost{}), "restore");
  EXPECT_EQ(On(LearnerRestored{}), "checkpoint");
  EXPECT_EQ(On(Checkpointed{}), "finish");
}

TEST_F(CoordinatorLosses, AfterTheEndNothingIsReplaced) {
  Begin(/*shards=*/1, /*epochs=*/1);
  Batch(0, 0);
  On(Updated{1});
  On(Evaluated{});
  EXPECT_EQ(On(Checkpointed{}), "finish");
  EXPECT_EQ(On(ShardLost{0}), "");
  EXPECT_EQ(On(LearnerLost{}), "");
  EXPECT_EQ(Batch(0, 1), "drop 2");
  EXPECT_EQ(counters().actors_restarted, 0);
}

TEST(SimulatedCluster, EveryRunKeepsTheRulesOfTheLoopAndEnds) {
  SimulationTotals totals;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    ASSERT_NO_THROW(SimulateRun(seed, totals)) << "seed " << seed;
  }
  // Chance has been everywhere.
  EXPECT_GT(totals.stopped_runs, 1000);
  EXPECT_GT(totals.shards_lost, 10000);
  EXPECT_GT(totals.rollouts_lost, 1000);
  EXPECT_GT(totals.learners_lost, 1000);
  EXPECT_GT(totals.stale_drops, 1000);
  EXPECT_GT(totals.late_answers, 1000);
  EXPECT_GT(totals.checkpoints_given_up, 100);
  EXPECT_GT(totals.updates_undone, 1000);
  EXPECT_GT(totals.foreseen_updates, 1000);
  EXPECT_GT(totals.foreseen_rollouts, 1000);
  EXPECT_GT(totals.stops_behind_foreseen_rollouts, 0);
}

}  // namespace
}  // namespace dray
