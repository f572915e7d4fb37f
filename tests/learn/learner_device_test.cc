#include "src/learn/learner_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/envs/registry.h"

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

TEST(TimeLearning, IsARealUpdate) {
  Config config = CartPole();
  config.mutable_ppo()->set_minibatch_size(300);  // more than a short rollout has
  const LearningTime time = TimeLearning(config, SpecOf(config.env()), at::kCPU);
  EXPECT_GT(time.sample_s, 0);
  // Ten times the passes take longer.
  config.mutable_ppo()->set_policy_epochs(40);
  EXPECT_GT(TimeLearning(config, SpecOf(config.env()), at::kCPU).sample_s, time.sample_s);
}

}  // namespace
}  // namespace dray
