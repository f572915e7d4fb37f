#include "src/loop/trials.h"

#include <ATen/ops/equal.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "src/base/error.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"

namespace dray {
namespace {

Config CartPole() {
  Config config;
  config.mutable_env()->set_name("cartpole");
  config.mutable_network()->add_hidden(16);
  return config;
}

TEST(RunTrial, ReturnsSecondsOrTheFirstLineOfAFailure) {
  EXPECT_EQ(RunTrial([] { return 2.5; }).seconds, 2.5);
  EXPECT_TRUE(RunTrial([] { return 2.5; }).succeeded());
  const Timing failed = RunTrial([]() -> double { throw Failure("out of memory\nand a trace"); });
  EXPECT_EQ(failed.failure, "out of memory");
  EXPECT_FALSE(failed.succeeded());
  EXPECT_FALSE(RunTrial([]() -> double { throw std::bad_alloc(); }).succeeded());
}

TEST(Trials, FillAMinibatchFromAShortRollout) {
  Config config = CartPole();
  config.mutable_ppo()->set_minibatch_size(300);  // more than a short rollout has
  config.mutable_scale()->set_num_envs(64);
  const EnvSpec spec = SpecOf(config.env());
  EXPECT_GE(LearningTrial(config, spec, at::kCPU).samples(), 2 * 300);
  const Timing learning = Trials(config, spec).Learning(at::kCPU);
  EXPECT_TRUE(learning.succeeded()) << learning.failure;
  EXPECT_GT(learning.seconds, 0);
}

TEST(Trials, MeasureAServiceAndAStep) {
  Config config;
  LoadYamlText(
      "env: {name: dvrptw, dvrptw: {num_customers: 6, encoding: outlook}}\n"
      "scale: {num_envs: 6}\nnetwork: {hidden: [8]}\n",
      "test", &config);
  const EnvSpec spec = SpecOf(config.env());
  for (const Timing& timing :
       {Trials(config, spec).Service(config.env(), /*workers=*/2), Trials(config, spec).Step()}) {
    EXPECT_TRUE(timing.succeeded()) << timing.failure;
    EXPECT_GT(timing.seconds, 0);
    EXPECT_LT(timing.seconds, INFINITY);
  }
}

std::vector<std::string> Presets() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("configs")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

class PresetTest : public testing::TestWithParam<std::string> {};

// So that no number of updates on the same samples, which a fast device makes, can let it diverge.
TEST_P(PresetTest, ATrialLeavesThePolicyAsItIs) {
  Config config;
  LoadYamlFile("configs/" + GetParam() + ".yaml", &config);
  LearningTrial trial(config, SpecOf(config.env()), at::kCPU);
  const at::Tensor before = trial.parameters().clone();
  trial.Update();
  EXPECT_TRUE(at::equal(trial.parameters(), before));
}

INSTANTIATE_TEST_SUITE_P(Every, PresetTest, testing::ValuesIn(Presets()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace dray
