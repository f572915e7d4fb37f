#include "src/loop/run_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "src/base/error.h"
#include "src/rollout/batch.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// 4 observed numbers, 2 actions.
EnvSpec Spec(bool fixed_length) {
  EnvSpec spec;
  spec.name = "toy";
  spec.observation_size = 4;
  spec.actions.count = 2;
  spec.max_episode_steps = 100;
  spec.fixed_length = fixed_length;
  return spec;
}

Config CartPoleLike() {
  Config config;
  config.mutable_scale()->set_num_envs(4);
  config.mutable_train()->set_total_steps(500000);
  return config;
}

TEST(RunPlan, TotalStepsGiveEpochsRoundedUp) {
  const RunPlan plan = MakePlan(CartPoleLike(), Spec(false));
  EXPECT_EQ(plan.num_envs, 4);
  EXPECT_THAT(plan.shard_sizes, ElementsAre(4));
  EXPECT_EQ(plan.rollout_steps, 128);
  EXPECT_EQ(plan.samples_per_epoch, 512);
  EXPECT_EQ(plan.epochs, 977);
  EXPECT_EQ(plan.updates, 977);
  EXPECT_EQ(plan.minibatches, 4);
  EXPECT_EQ(plan.policy_steps_per_update, 16);
  EXPECT_EQ(plan.value_steps_per_update, 16);
  EXPECT_THAT(plan.warnings, IsEmpty());
}

TEST(RunPlan, ABagCountsInTheNetworksByItsWidthAndInTheRolloutByItsIndices) {
  Config config;
  config.mutable_train()->set_epochs(10);
  config.mutable_scale()->set_envs_per_shard(64);
  for (const int width : {256, 256, 128}) config.mutable_network()->add_hidden(width);
  EnvSpec spec = Spec(/*fixed_length=*/true);
  spec.observation_size = 0;
  spec.max_episode_steps = 30;
  spec.actions.count = 16;
  spec.bag = {.width = 1212, .own = 6, .joining = 6};
  const RunPlan plan = MakePlan(config, spec);
  constexpr int64_t kTrunk = 1213 * 256 + 257 * 256 + 257 * 128;
  EXPECT_EQ(plan.parameters, 2 * kTrunk + 129 * 16 + 129);
  // 24 bytes of indices and 18 of the rest.
  EXPECT_EQ(plan.rollout_bytes, 64 * 30 * 42 + 64 * 24 + /*header=*/128);
}

TEST(RunPlan, FewerStepsThanAnEpochAreOneEpoch) {
  Config config = CartPoleLike();
  config.mutable_train()->set_total_steps(1);
  EXPECT_EQ(MakePlan(config, Spec(false)).epochs, 1);
}

TEST(RunPlan, EpochsOverrideStepsAndStepsOverrideEpisodes) {
  Config config = CartPoleLike();
  config.mutable_train()->set_epochs(12);
  EXPECT_EQ(MakePlan(config, Spec(true)).epochs, 12);
  config.mutable_train()->clear_epochs();
  EXPECT_EQ(MakePlan(config, Spec(true)).epochs, 1250);
  config.mutable_train()->clear_total_steps();
  EXPECT_EQ(MakePlan(config, Spec(true)).epochs, 250);
}

TEST(RunPlan, ATaskOfFixedLengthCollectsOneEpisodePerEnvironmentAndEpoch) {
  Config config;
  config.mutable_scale()->set_num_envs(64);
  config.mutable_train()->set_episodes(1000);
  const RunPlan plan = MakePlan(config, Spec(true));
  EXPECT_EQ(plan.rollout_steps, 100);
  EXPECT_EQ(plan.samples_per_epoch, 6400);
  EXPECT_EQ(plan.epochs, 16);
}

TEST(RunPlan, EpisodesOfOtherTasksLeaveTheEpochsOpen) {
  const RunPlan plan = MakePlan(Config(), Spec(false));
  EXPECT_EQ(plan.epochs, 0);
  EXPECT_EQ(plan.updates, 0);
}

TEST(RunPlan, ADurationAloneIsEnoughAndNothingIsAnError) {
  Config config;
  config.mutable_train()->set_episodes(0);
  config.mutable_train()->set_duration_s(60);
  EXPECT_EQ(MakePlan(config, Spec(true)).epochs, 0);
  config.mutable_train()->set_duration_s(0);
  try {
    MakePlan(config, Spec(true));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_THAT(error.what(), HasSubstr("nothing stops the run; set train.episodes"));
  }
}

TEST(RunPlan, WorkersTimesEnvironmentsPerWorkerSetTheNumberOfEnvironments) {
  Config config;
  config.mutable_scale()->set_num_workers(3);
  config.mutable_scale()->set_num_envs_per_worker(5);
  const RunPlan plan = MakePlan(config, Spec(false));
  EXPECT_EQ(plan.num_envs, 15);
  EXPECT_THAT(plan.shard_sizes, ElementsAre(5, 5, 5));
}

TEST(RunPlan, ShardsAreAsEvenAsPossible) {
  Config config;
  config.mutable_scale()->set_num_envs(50);
  config.mutable_scale()->set_envs_per_shard(16);
  EXPECT_THAT(MakePlan(config, Spec(false)).shard_sizes, ElementsAre(13, 13, 12, 12));
  config.mutable_scale()->set_num_workers(7);
  const RunPlan plan = MakePlan(config, Spec(false));
  EXPECT_EQ(plan.shard_sizes.size(), 7u);
  EXPECT_EQ(std::accumulate(plan.shard_sizes.begin(), plan.shard_sizes.end(), 0), 50);
  EXPECT_THAT(plan.warnings, ElementsAre(HasSubstr("do not divide evenly over 7 shards")));
}

TEST(RunPlan, AnUpdateMayTakeSeveralEpochs) {
  Config config = CartPoleLike();
  config.mutable_ppo()->set_update_interval(3);
  config.mutable_ppo()->set_minibatch_size(500);
  config.mutable_ppo()->set_policy_epochs(10);
  config.mutable_ppo()->set_value_epochs(40);
  const RunPlan plan = MakePlan(config, Spec(false));
  EXPECT_EQ(plan.updates, 326);
  EXPECT_EQ(plan.samples_per_update, 1536);
  EXPECT_EQ(plan.minibatches, 4);
  EXPECT_EQ(plan.policy_steps_per_update, 40);
  EXPECT_EQ(plan.value_steps_per_update, 160);
}

TEST(RunPlan, BytesAreThoseOfTheBatches) {
  EnvSpec spec = Spec(false);
  EXPECT_EQ(MakePlan(CartPoleLike(), spec).rollout_bytes,
            static_cast<int64_t>(BatchBytes(BatchShape::Of(spec, 128, 4))));
  Config two_shards = CartPoleLike();
  two_shards.mutable_scale()->set_envs_per_shard(2);
  EXPECT_EQ(MakePlan(two_shards, spec).rollout_bytes,
            static_cast<int64_t>(2 * BatchBytes(BatchShape::Of(spec, 128, 2))));
}

TEST(RunPlan, ParametersAreThoseOfActorAndCritic) {
  Config config = CartPoleLike();
  config.mutable_network()->add_hidden(3);
  const RunPlan plan = MakePlan(config, Spec(false));
  EXPECT_EQ(plan.parameters, (5 * 3 + 4 * 2) + (5 * 3 + 4 * 1));
  EXPECT_GE(plan.estimated_ram_bytes, 100'000'000 + 6 * plan.rollout_bytes);
}

TEST(RunPlan, WarnsOfFewEpochsAndOfAMinibatchLargerThanTheBatch) {
  Config config = CartPoleLike();
  config.mutable_train()->set_total_steps(1000);
  config.mutable_ppo()->set_minibatch_size(1024);
  EXPECT_THAT(MakePlan(config, Spec(false)).warnings,
              ElementsAre(HasSubstr("only 2 epochs"),
                          HasSubstr("ppo.minibatch_size 1024 is larger than the 512 samples")));
}

TEST(RunPlan, EpisodesOfOpenLengthBoundTheEpochs) {
  Config config = CartPoleLike();
  config.mutable_train()->set_total_steps(0);
  config.mutable_train()->set_episodes(2);
  const RunPlan plan = MakePlan(config, Spec(false));
  EXPECT_EQ(plan.epochs, 0);
  EXPECT_EQ(plan.most_epochs, (2 * Spec(false).max_episode_steps + 511) / 512);
  EXPECT_THAT(plan.warnings, testing::Contains(HasSubstr("at most")));
}

TEST(RunPlan, APriceCoefficientWithoutPricesIsSaid) {
  const auto warnings = [](const Config& config, int context) {
    EnvSpec spec = Spec(false);
    spec.tokens = {.count = 2, .size = 3};
    spec.observation_size = 6 + context;
    return MakePlan(config, spec).warnings;
  };
  const auto no_effect = testing::Contains(HasSubstr("network.price_coefficient has no effect"));
  Config config = CartPoleLike();
  EXPECT_THAT(warnings(config, 2), Not(no_effect));
  config.mutable_network()->set_price_coefficient(-1);
  EXPECT_THAT(warnings(config, 2), no_effect);
  config.mutable_network()->set_kind(ATTENTION);
  EXPECT_THAT(warnings(config, 2), Not(no_effect));
  // Fewer numbers than actions behind the tokens.
  EXPECT_THAT(warnings(config, 1), no_effect);
}

TEST(RunPlan, ThePreflightIsReadable) {
  const Config config = CartPoleLike();
  const EnvSpec spec = Spec(false);
  EXPECT_EQ(PreflightText(MakePlan(config, spec), config, spec),
            "preflight\n"
            "  environment   toy: 4 observed numbers, 2 discrete actions, at most 100 steps per "
            "episode\n"
            "  scale         4 environments in 1 shard of 4\n"
            "  epoch         128 steps x 4 environments = 512 samples, 17.6 kB\n"
            "  update        every 1 epoch: 4 minibatches of 128 samples; 16 policy and 16 value "
            "gradient steps\n"
            "  optimisers    one for actor and critic: gradients of policy loss + 0.5 value loss\n"
            "  stops after   977 epochs, 977 updates, 500,224 steps\n"
            "  networks      15 parameters\n"
            "  memory        about 130 MB; on a GPU about 1.5 GB\n");
}

TEST(RunPlan, ThePreflightSaysWhereTheValueCoefficientHasNoEffect) {
  const EnvSpec spec = Spec(false);
  const auto preflight = [&spec](const Config& config) {
    return PreflightText(MakePlan(config, spec), config, spec);
  };
  Config config = CartPoleLike();
  const std::string no_effect = "ppo.value_coefficient has no effect\n";
  config.mutable_ppo()->set_value_epochs(config.ppo().policy_epochs());
  EXPECT_THAT(preflight(config), Not(HasSubstr("ppo.value_coefficient")));
  config.mutable_ppo()->set_max_grad_norm(0);
  EXPECT_THAT(preflight(config), HasSubstr("ppo.value_coefficient acts through ppo.adam_epsilon"));
  config.mutable_ppo()->set_value_epochs(config.ppo().policy_epochs() + 1);
  EXPECT_THAT(preflight(config), HasSubstr(no_effect));
}

TEST(RunPlan, ThePreflightLeavesOutLossesWithoutWeight) {
  const EnvSpec spec = Spec(false);
  Config config = CartPoleLike();
  config.mutable_ppo()->set_policy_coefficient(0);
  config.mutable_ppo()->set_value_coefficient(0);
  config.mutable_ppo()->set_appraisal_coefficient(1);
  const std::string preflight = PreflightText(MakePlan(config, spec), config, spec);
  EXPECT_THAT(preflight, HasSubstr("gradients of distance from simulated futures\n"));
  EXPECT_THAT(preflight, HasSubstr("of 128 samples; 16 gradient steps\n"));
}

TEST(RunPlan, ThePreflightSaysWhatStopsAnOpenRun) {
  Config config;
  config.mutable_train()->set_duration_s(90);
  const EnvSpec spec = Spec(false);
  EXPECT_THAT(
      PreflightText(MakePlan(config, spec), config, spec),
      HasSubstr("stops after   1,000 episodes, at most 13 epochs, or 90 s of wall-clock time\n"));
}

}  // namespace
}  // namespace dray
