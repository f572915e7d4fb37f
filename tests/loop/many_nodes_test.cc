#include "tests/loop/many_nodes.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

constexpr ClusterCosts kFree = {
    .call_s = 0, .answer_s = 0, .way_s = 0, .store_bytes_per_s = 1e15, .network_bytes_per_s = 1e15};
constexpr TrainingLoad kLoad = {.envs_per_core = 4,
                                .rollout_steps = 30,
                                .step_s = 1e-4,
                                .sample_bytes = 1000,
                                .weight_bytes = 1e6,
                                .minibatch = 96,
                                .passes = 2,
                                .minibatch_s = 1e-4};
constexpr int kEpochs = 20;

TEST(SimulateTraining, WithoutOtherCostsAnEpochIsItsRolloutAndItsUpdate) {
  const SimulatedTraining run =
      SimulateTraining(kLoad, kFree, {.nodes = 1, .actors_per_node = 1}, kEpochs);
  // 4 environments and 30 steps on each of 16 cores: 1,920 samples, 40 gradient steps.
  EXPECT_NEAR(run.epoch_s, 0.012 + 0.004, 1e-6);
  EXPECT_NEAR(run.samples_per_s, 1920 / 0.016, 100);
  EXPECT_NEAR(run.learner, 0.004 / 0.016, 1e-3);
  EXPECT_NEAR(run.cores, 0.012 / 0.016, 1e-3);
}

TEST(SimulateTraining, ManyActorsKeepTheDriverBusyAndOnePerNodeDoesNot) {
  ClusterCosts costs = kFree;
  costs.call_s = 1e-3;
  const ClusterShape shape = {.nodes = 16, .actors_per_node = 16};
  const SimulatedTraining many = SimulateTraining(kLoad, costs, shape, kEpochs);
  EXPECT_GT(many.driver, 0.99);
  EXPECT_NEAR(many.epoch_s, 1e-3 * (2 * 256 + 2), 0.02);
  const SimulatedTraining few =
      SimulateTraining(kLoad, costs, {.nodes = 16, .actors_per_node = 1}, kEpochs);
  EXPECT_LT(few.epoch_s, many.epoch_s / 4);
}

TEST(SimulateTraining, BatchesOfOtherNodesComeThroughTheLearnersNetwork) {
  ClusterCosts costs = kFree;
  costs.network_bytes_per_s = 10e6;
  TrainingLoad load = kLoad;
  load.weight_bytes = 0;
  const SimulatedTraining run =
      SimulateTraining(load, costs, {.nodes = 4, .actors_per_node = 1}, kEpochs);
  // Three nodes send 1.92 MB each.
  EXPECT_NEAR(run.epoch_s, 0.012 + 3 * 0.192 + 0.016, 1e-4);
}

TEST(SimulateTraining, SeveralLearnersDivideTheStepsAndPayForAveraging) {
  const ClusterShape four = {.nodes = 4, .actors_per_node = 1, .learners = 4};
  const SimulatedTraining run = SimulateTraining(kLoad, kFree, four, kEpochs);
  EXPECT_NEAR(run.epoch_s, 0.012 + 0.004, 1e-5);
  ClusterCosts costs = kFree;
  costs.network_bytes_per_s = 1e9;
  TrainingLoad load = kLoad;
  load.sample_bytes = 0;
  // Averaging a megabyte takes 1.5 ms in each of 40 steps.
  EXPECT_NEAR(SimulateTraining(load, costs, four, kEpochs).epoch_s, 0.016 + 40 * 1.5e-3, 5e-3);
}

TEST(SimulateTraining, TheDriverIsNotOnTheWayOfShortEpochs) {
  ClusterCosts costs = kFree;
  costs.way_s = 1e-3;
  const SimulatedTraining run =
      SimulateTraining(kLoad, costs, {.nodes = 1, .actors_per_node = 1}, kEpochs);
  EXPECT_LT(run.epoch_s, 0.016 + 1.2e-3);
}

}  // namespace
}  // namespace dray
