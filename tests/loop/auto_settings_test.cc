#include "src/loop/auto_settings.h"

#include <ATen/Context.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/envs/dvrptw/dvrptw.pb.h"

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

Config CartPole(int envs) {
  Config config;
  config.mutable_env()->set_name("cartpole");
  config.mutable_network()->add_hidden(16);
  config.mutable_train()->set_epochs(1);
  config.mutable_scale()->set_num_envs(envs);
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

TEST(ChooseNumEnvs, StaysWithinHalfTheMemoryOfAGpuThatTheLearnerMayUse) {
  const Resources small_gpu = {.cpus = 8, .memory_bytes = 0, .gpu_bytes = 4'000'000'000};
  const auto chosen = [&](Device learner) {
    Config config = Auto(1024);
    config.mutable_train()->set_rollout_steps(1000);
    config.mutable_scale()->set_learner_device(learner);
    const std::string why = ChooseNumEnvs(Small(), small_gpu, &config);
    return std::pair(config.scale().num_envs(), why);
  };
  EXPECT_EQ(chosen(CPU).first, 8192);
  EXPECT_LT(chosen(AUTO).first, 8192);
  EXPECT_THAT(chosen(AUTO).second, HasSubstr("or of the GPU's free 4.0 GB"));
}

TEST(ChooseNumEnvs, LeavesAGivenNumberAlone) {
  Config config;
  config.mutable_scale()->set_num_envs(5);
  EXPECT_EQ(ChooseNumEnvs(Small(), {8, 0}, &config), "");
  EXPECT_EQ(config.scale().num_envs(), 5);
}

// --- The fastest of several

Fastest Between(const std::vector<Timing>& times) {
  Candidates candidates{.setting = "device",
                        .activity = "learning from a sample",
                        .unit_s = 1e-6,
                        .unit = "µs on",
                        .names = {"cpu", "cuda"}};
  candidates.names.resize(times.size());
  return FastestOf(candidates, [&](size_t i) { return times[i]; });
}

Timing Failed(const std::string& failure) { return {.failure = failure}; }

TEST(FastestOf, IsTheFastestWithAReason) {
  const Fastest fastest = Between({{510e-6, ""}, {62e-6, ""}});
  EXPECT_EQ(fastest.index, 1);
  EXPECT_EQ(fastest.why,
            "device auto: cuda; learning from a sample takes 510 µs on cpu, 62 µs on cuda");
}

TEST(FastestOf, IsTheFirstThatIsAboutAsFastAsTheFastest) {
  EXPECT_EQ(Between({{100e-6, ""}, {95e-6, ""}}).index, 0);
  EXPECT_EQ(Between({{100e-6, ""}, {90e-6, ""}}).index, 1);
  EXPECT_EQ(Between({{3e-6, ""}, {60e-6, ""}}).index, 0);
  EXPECT_EQ(Between({{0, ""}, {1, ""}}).index, 0);
  EXPECT_EQ(Between({{1, ""}}).index, 0);
}

TEST(FastestOf, LeavesOutAndNamesWhatFails) {
  const Fastest second_failed = Between({{510e-6, ""}, Failed("out of memory")});
  EXPECT_EQ(second_failed.index, 0);
  EXPECT_EQ(second_failed.why,
            "device auto: cpu; learning from a sample takes 510 µs on cpu; the trial of cuda "
            "failed: out of memory");
  EXPECT_EQ(Between({Failed("out of memory"), {1, ""}}).index, 1);
}

TEST(FastestOf, IsTheFirstWhereNoTrialSucceeds) {
  const Fastest none = Between({Failed("this"), Failed("that")});
  EXPECT_EQ(none.index, 0);
  EXPECT_EQ(none.why,
            "device auto: cpu; the trial of cpu failed: this; the trial of cuda failed: that");
}

TEST(LearnerDevice, AConfigThatNamesOneIsObeyed) {
  Config config = CartPole(4);
  const EnvSpec spec = SpecOf(config.env());
  const Trials trials(config, spec);
  config.mutable_run()->set_device(CPU);
  config.mutable_scale()->set_learner_device(CUDA);
  const DeviceChoice choice = LearnerDevice(config, trials);
  EXPECT_TRUE(choice.device.is_cpu());
  EXPECT_EQ(choice.why, "");
  config.mutable_run()->set_device(AUTO);
  config.mutable_scale()->set_learner_device(CPU);
  EXPECT_TRUE(LearnerDevice(config, trials).device.is_cpu());
}

// --- Services

Config Deliveries() {
  Config config;
  LoadYamlText(
      "env: {name: dvrptw, dvrptw: {num_customers: 6, encoding: outlook}}\n"
      "scale: {num_envs: 6}\nnetwork: {hidden: [8]}\n",
      "test", &config);
  return config;
}

const OracleConfig& OracleOf(const Config& config) {
  return config.env().GetExtension(DvrptwConfig::dvrptw).oracle();
}

TEST(ChooseService, RunDeviceIsTheServicesUnlessItHasItsOwn) {
  Config config = Deliveries();
  PlaceService(&config);
  EXPECT_EQ(OracleOf(config).device(), AUTO);
  config.mutable_run()->set_device(CPU);
  PlaceService(&config);
  EXPECT_EQ(OracleOf(config).device(), CPU);
  config.mutable_run()->set_device(CUDA);
  PlaceService(&config);
  EXPECT_EQ(OracleOf(config).device(), CPU);

  Config other;
  LoadYamlText("env: {name: cartpole}\nrun: {device: cpu}\n", "test", &other);
  PlaceService(&other);  // has no service
  const EnvSpec spec = SpecOf(other.env());
  EXPECT_EQ(ChooseService(TaskOf(other.env()), Trials(other, spec), 2, &other), "");
}

TEST(ChooseService, TriesWhatTheMachineOffers) {
  Config config = Deliveries();
  const EnvSpec spec = SpecOf(config.env());
  const std::string why =
      ChooseService(TaskOf(config.env()), Trials(config, spec), /*workers=*/2, &config);
  if (at::globalContext().hasCUDA()) {
    EXPECT_THAT(why, HasSubstr(" by neural on cuda"));
    EXPECT_NE(OracleOf(config).kind(), OracleConfig::AUTO);
  } else {
    EXPECT_EQ(why, "");
    EXPECT_EQ(OracleOf(config).kind(), OracleConfig::AUTO);
  }
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

// Measured times of a step of presets on two machines: nothing that could be chosen by hand is a
// tenth quicker.
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
  const std::string why =
      ChooseShards(spec, Trials(config, spec), /*workers=*/4, kHandingToThread_s, &config);
  EXPECT_GE(config.scale().envs_per_shard(), 16);
  EXPECT_THAT(why, HasSubstr("scale.envs_per_shard auto: "));
  EXPECT_THAT(why, HasSubstr(" on 4 cores; a step takes "));
}

TEST(ChooseShards, LeavesGivenNumbersAlone) {
  Config config = CartPole(64);
  const EnvSpec spec = SpecOf(config.env());
  const Trials trials(config, spec);
  config.mutable_scale()->set_envs_per_shard(7);
  EXPECT_EQ(ChooseShards(spec, trials, 4, kHandingToThread_s, &config), "");
  EXPECT_EQ(config.scale().envs_per_shard(), 7);
  config = CartPole(64);
  config.mutable_scale()->set_num_workers(3);
  EXPECT_EQ(ChooseShards(spec, trials, 4, kHandingToThread_s, &config), "");
}

TEST(ChooseShards, ATrialThatFailsGivesEveryWorkerAShardAndSaysSo) {
  Config config = CartPole(64);
  const EnvSpec spec = SpecOf(config.env());
  config.mutable_env()->set_name("no such task");
  EXPECT_THAT(ChooseShards(spec, Trials(config, spec), 4, kHandingToThread_s, &config),
              HasSubstr("16, for 4 shards on 4 cores; the trial of a step failed: "));
  EXPECT_EQ(config.scale().envs_per_shard(), 16);
}

TEST(ChooseShards, OneWorkerHasOneShardAndNothingToSay) {
  Config config = CartPole(64);
  const EnvSpec spec = SpecOf(config.env());
  EXPECT_EQ(ChooseShards(spec, Trials(config, spec), 1, kHandingToThread_s, &config), "");
  EXPECT_EQ(config.scale().envs_per_shard(), 64);
}

}  // namespace
}  // namespace dray
