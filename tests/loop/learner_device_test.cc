#include "src/loop/learner_device.h"

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

using testing::HasSubstr;

TEST(QuickestDevice, IsTheQuickestWithAReason) {
  const DeviceChoice choice = QuickestDevice({{at::kCPU, 510e-6}, {at::kCUDA, 62e-6}});
  EXPECT_TRUE(choice.device.is_cuda());
  EXPECT_EQ(choice.why,
            "device auto: cuda; learning from a sample takes 510 µs on cpu, 62 µs on cuda");
}

TEST(QuickestDevice, StaysOnTheCpuWhereAGpuGainsLittle) {
  EXPECT_TRUE(QuickestDevice({{at::kCPU, 100e-6}, {at::kCUDA, 95e-6}}).device.is_cpu());
  EXPECT_TRUE(QuickestDevice({{at::kCPU, 3e-6}, {at::kCUDA, 60e-6}}).device.is_cpu());
}

Config CartPole() {
  Config config;
  config.mutable_env()->set_name("cartpole");
  config.mutable_network()->add_hidden(16);
  return config;
}

TEST(LearnerDevice, AConfigThatNamesOneIsObeyed) {
  Config config = CartPole();
  config.mutable_run()->set_device(CPU);
  config.mutable_scale()->set_learner_device(CUDA);
  const DeviceChoice choice = LearnerDevice(config, SpecOf(config.env()));
  EXPECT_TRUE(choice.device.is_cpu());
  EXPECT_EQ(choice.why, "");
  config.mutable_run()->set_device(AUTO);
  config.mutable_scale()->set_learner_device(CPU);
  EXPECT_TRUE(LearnerDevice(config, SpecOf(config.env())).device.is_cpu());
}

TEST(TryDevices, ADeviceThatFailsIsLeftOutAndNamed) {
  const DeviceChoice choice = TryDevices({at::kCPU, at::kCUDA}, [](const at::Device& device) {
    if (device.is_cuda()) throw Failure("out of memory\nand a stack trace");
    return LearningTime{device, 510e-6};
  });
  EXPECT_TRUE(choice.device.is_cpu());
  EXPECT_EQ(choice.why,
            "device auto: cpu; learning from a sample takes 510 µs on cpu; the trial on cuda "
            "failed: out of memory");
}

TEST(TryDevices, TakesTheCpuWhereNoTrialSucceeds) {
  const DeviceChoice choice = TryDevices(
      {at::kCPU, at::kCUDA}, [](const at::Device&) -> LearningTime { throw std::bad_alloc(); });
  EXPECT_TRUE(choice.device.is_cpu());
  EXPECT_THAT(choice.why, HasSubstr("the trial on cpu failed: "));
  EXPECT_THAT(choice.why, HasSubstr("the trial on cuda failed: "));
}

TEST(TimeLearning, FillsAMinibatchFromAShortRollout) {
  Config config = CartPole();
  config.mutable_ppo()->set_minibatch_size(300);  // more than a short rollout has
  config.mutable_scale()->set_num_envs(64);
  EXPECT_GE(LearningTrial(config, SpecOf(config.env()), at::kCPU).samples(), 2 * 300);
  EXPECT_GT(TimeLearning(config, SpecOf(config.env()), at::kCPU).sample_s, 0);
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
