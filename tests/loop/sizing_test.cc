#include "src/loop/sizing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "src/env/registry.h"

namespace dray {
namespace {

using testing::HasSubstr;

EnvSpec Small() {
  EnvSpec spec;
  spec.observation_size = 4;
  spec.actions = ActionSpace::Discrete(2);
  spec.max_episode_steps = 100;
  return spec;
}

Config Auto(int envs_per_shard) {
  Config config;
  config.mutable_scale()->set_num_envs(0);
  config.mutable_scale()->set_envs_per_shard(envs_per_shard);
  return config;
}

TEST(ChooseNumEnvs, FillsEveryCpuWithOneShard) {
  Config config = Auto(16);
  const std::string why = ChooseNumEnvs(Small(), {8, 32'000'000'000}, &config);
  EXPECT_EQ(config.scale().num_envs(), 128);
  EXPECT_THAT(why, HasSubstr("128, for 8 shards of 16, one per CPU"));
}

TEST(ChooseNumEnvs, LeavesTheAsynchronousLearnerItsThreads) {
  Config config = Auto(16);
  config.mutable_ppo()->set_max_policy_lag(1);
  config.mutable_scale()->set_learner_threads(2);
  ChooseNumEnvs(Small(), {8, 0}, &config);
  EXPECT_EQ(config.scale().num_envs(), 96);
}

TEST(ChooseNumEnvs, TakesAsManyWorkersAsAreAskedFor) {
  Config config = Auto(4);
  config.mutable_scale()->set_num_workers(3);
  ChooseNumEnvs(Small(), {8, 0}, &config);
  EXPECT_EQ(config.scale().num_envs(), 12);
}

TEST(ChooseNumEnvs, StaysWithinHalfTheMemory) {
  Config config = Auto(1024);
  config.mutable_train()->set_rollout_steps(1000);
  const std::string why = ChooseNumEnvs(Small(), {8, 1'000'000'000}, &config);
  EXPECT_LT(config.scale().num_envs(), 8192);
  EXPECT_GE(config.scale().num_envs(), 1);
  EXPECT_THAT(why, HasSubstr("more than half of"));
}

TEST(ChooseNumEnvs, LeavesAGivenNumberAlone) {
  Config config;
  config.mutable_scale()->set_num_envs(5);
  EXPECT_EQ(ChooseNumEnvs(Small(), {8, 0}, &config), "");
  EXPECT_EQ(config.scale().num_envs(), 5);
}

// --- Shards

TEST(QuickestShardSize, GivesEveryCoreAShardWhereStepsTakeLong) {
  const ShardCosts deliveries{.step_s = 600e-6, .handing_s = kHandingToThread_s};
  EXPECT_EQ(QuickestShardSize(64, 30, 16, deliveries), 4);
  EXPECT_EQ(QuickestShardSize(64, 30, 2, deliveries), 32);
  EXPECT_EQ(QuickestShardSize(64, 30, 1, deliveries), 64);
  EXPECT_EQ(QuickestShardSize(4, 30, 16, deliveries), 1);
}

TEST(QuickestShardSize, KeepsQuickStepsTogether) {
  const ShardCosts cartpole{.step_s = 0.5e-6, .handing_s = kHandingToThread_s};
  EXPECT_EQ(QuickestShardSize(4, 128, 2, cartpole), 2);  // 128 µs less, 60 µs of handing
  EXPECT_EQ(QuickestShardSize(4, 32, 16, cartpole), 4);
  const ShardCosts on_actors{.step_s = 0.5e-6, .handing_s = kHandingToActor_s};
  EXPECT_EQ(QuickestShardSize(256, 128, 16, on_actors), 86);  // three shards
}

TEST(QuickestShardSize, MakesNoMoreShardsThanItTakes) {
  // 25 environments on 16 cores: somebody has two, so that 13 shards do.
  EXPECT_EQ(QuickestShardSize(25, 100, 16, {.step_s = 1e-3, .handing_s = 0}), 2);
}

struct Recorded {
  const char* preset;
  int envs, steps, cores;
  double step_us;
};

// What TimeStep gave for presets on two machines: nothing that could be chosen by hand is a tenth
// quicker.
TEST(QuickestShardSize, IsNeverMuchSlowerThanTheBestFixedChoice) {
  for (const Recorded& r :
       {Recorded{"dvrptw_best", 64, 30, 2, 690}, Recorded{"dvrptw_best", 64, 30, 16, 300},
        Recorded{"dvrptw_64", 64, 30, 2, 83}, Recorded{"dvrptw_64", 64, 30, 16, 40},
        Recorded{"cage2_bline", 25, 100, 2, 5.6}, Recorded{"cage2_bline", 25, 100, 16, 2.5},
        Recorded{"cartpole", 4, 128, 2, 0.45}, Recorded{"cartpole", 256, 128, 16, 0.2}}) {
    const ShardCosts costs{.step_s = 1e-6 * r.step_us, .handing_s = kHandingToThread_s};
    const auto seconds = [&](int size) {
      const int shards = (r.envs + size - 1) / size, turns = (shards + r.cores - 1) / r.cores;
      return turns * size * r.steps * costs.step_s + (shards > 1 ? shards * costs.handing_s : 0);
    };
    double best_s = INFINITY;
    for (int size = 1; size <= r.envs; ++size) best_s = std::min(best_s, seconds(size));
    EXPECT_LE(seconds(QuickestShardSize(r.envs, r.steps, r.cores, costs)), 1.1 * best_s)
        << r.preset << " on " << r.cores;
  }
}

Config CartPole(int envs) {
  Config config;
  config.mutable_env()->set_name("cartpole");
  config.mutable_network()->add_hidden(16);
  config.mutable_train()->set_epochs(1);
  config.mutable_scale()->set_num_envs(envs);
  return config;
}

TEST(QuickestShardSize, HandingToAThreadIsTimedWithinReason) {
  const double handing_s = TimeHandingToThread();
  EXPECT_GE(handing_s, kHandingToThread_s);
  EXPECT_LE(handing_s, kHandingToActor_s);
  // Where waking threads is dear, small steps are shared by fewer: cage2 on 16 processors.
  const auto size = [](double handing) {
    return QuickestShardSize(25, 100, 16, {.step_s = 1.8e-6, .handing_s = handing});
  };
  EXPECT_LT(size(30e-6), size(190e-6));
}

TEST(ChooseShards, SaysWhatAStepTakes) {
  Config config = CartPole(64);
  const EnvSpec spec = SpecOf(config.env());
  const std::string why = ChooseShards(spec, /*workers=*/4, kHandingToThread_s, &config);
  EXPECT_GE(config.scale().envs_per_shard(), 16);
  EXPECT_THAT(why, HasSubstr("scale.envs_per_shard auto: "));
  EXPECT_THAT(why, HasSubstr(" on 4 cores; a step takes "));
}

TEST(ChooseShards, LeavesGivenNumbersAlone) {
  Config config = CartPole(64);
  config.mutable_scale()->set_envs_per_shard(7);
  EXPECT_EQ(ChooseShards(SpecOf(config.env()), 4, kHandingToThread_s, &config), "");
  EXPECT_EQ(config.scale().envs_per_shard(), 7);
  config = CartPole(64);
  config.mutable_scale()->set_num_workers(3);
  EXPECT_EQ(ChooseShards(SpecOf(config.env()), 4, kHandingToThread_s, &config), "");
}

TEST(ChooseShards, ATrialThatFailsGivesEveryWorkerAShardAndSaysSo) {
  Config config = CartPole(64);
  const EnvSpec spec = SpecOf(config.env());
  config.mutable_env()->set_name("no such task");
  EXPECT_THAT(ChooseShards(spec, 4, kHandingToThread_s, &config),
              HasSubstr("16, for 4 shards on 4 cores; the trial of a step failed: "));
  EXPECT_EQ(config.scale().envs_per_shard(), 16);
}

TEST(ChooseShards, OneWorkerHasOneShardAndNothingToSay) {
  Config config = CartPole(64);
  EXPECT_EQ(ChooseShards(SpecOf(config.env()), 1, kHandingToThread_s, &config), "");
  EXPECT_EQ(config.scale().envs_per_shard(), 64);
}

}  // namespace
}  // namespace dray
