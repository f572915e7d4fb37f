#include "src/loop/sizing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dray
