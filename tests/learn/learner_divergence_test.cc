#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "src/base/error.h"
#include "src/learn/learner.h"
#include "src/nets/tensor_bytes.h"
#include "tests/learn/synthetic_rollouts.h"

namespace dray {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

EnvSpec Spec() {
  EnvSpec spec;
  spec.observation_size = 3;
  spec.actions = ActionSpace::Discrete(4);
  spec.max_episode_steps = 100;
  return spec;
}

Config ConfigWith(PpoConfig::OnDivergence on_divergence) {
  Config config;
  config.mutable_network()->add_hidden(16);
  config.mutable_ppo()->set_minibatch_size(16);
  config.mutable_ppo()->set_learning_rate(1e-3);
  config.mutable_ppo()->set_learning_rate_schedule(CONSTANT);
  config.mutable_ppo()->set_on_divergence(on_divergence);
  return config;
}

SharedBlob Rollout(const Config& config, const Learner& learner, float reward) {
  return Roll(Spec(), config.network(), learner.Publish(), {}, [&](int t, int env) {
    Rng rng(9, RngPurpose::kTest, static_cast<uint64_t>(t * 100 + env));
    SyntheticStep step;
    for (int i = 0; i < 3; ++i) step.observation.push_back(static_cast<float>(rng.Normal()));
    step.reward = reward * static_cast<float>(rng.Normal());
    return step;
  });
}

UpdateReport Update(const Config& config, Learner& learner, float reward) {
  return learner.Update({Rollout(config, learner, reward)->view()}, /*remaining=*/1);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(LearnerDivergence, StopsWhereANumberIsNone) {
  const Config config = ConfigWith(PpoConfig::STOP);
  Learner learner(config, Spec(), at::kCPU);
  Update(config, learner, 1);
  EXPECT_THAT([&] { Update(config, learner, kNan); },
              ThrowsMessage<Error>(HasSubstr("ppo.learning_rate")));
}

TEST(LearnerDivergence, RestoresTheLastGoodPolicyAndHalvesTheLearningRate) {
  const Config config = ConfigWith(PpoConfig::RESTORE);
  Learner learner(config, Spec(), at::kCPU);
  Update(config, learner, 1);
  const std::vector<float> good = ToVector(learner.nets().parameters());
  const UpdateReport bad = Update(config, learner, kNan);
  EXPECT_TRUE(bad.restored);
  EXPECT_EQ(bad.divergence, Divergence::kNotNumbers);
  EXPECT_EQ(bad.version, 2);
  EXPECT_EQ(ToVector(learner.nets().parameters()), good);
  const UpdateReport after = Update(config, learner, 1);
  EXPECT_FALSE(after.restored);
  EXPECT_DOUBLE_EQ(after.metrics.Get("train/learning_rate"), 0.5e-3);
  EXPECT_EQ(after.version, 3);
}

TEST(LearnerDivergence, AHalvedLearningRateIsSaved) {
  const Config config = ConfigWith(PpoConfig::RESTORE);
  Learner learner(config, Spec(), at::kCPU);
  Update(config, learner, kNan);
  Learner resumed(config, Spec(), at::kCPU);
  resumed.Load(learner.Save());
  EXPECT_DOUBLE_EQ(Update(config, resumed, 1).metrics.Get("train/learning_rate"), 0.5e-3);
}

TEST(LearnerDivergence, RestoresThreeTimesAndThenStops) {
  const Config config = ConfigWith(PpoConfig::RESTORE);
  Learner learner(config, Spec(), at::kCPU);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Update(config, learner, kNan).restored);
  EXPECT_THAT([&] { Update(config, learner, kNan); },
              ThrowsMessage<Error>(HasSubstr("diverged again after 3")));
}

// Adam moves each of a wide layer's weights by 1 at a step, and with them a value by hundreds,
// where rewards are thousandths.
Config Unstable(PpoConfig::OnDivergence on_divergence) {
  Config config = ConfigWith(on_divergence);
  config.mutable_network()->clear_hidden();
  config.mutable_network()->add_hidden(512);
  config.mutable_ppo()->set_learning_rate(1);
  config.mutable_ppo()->set_clip_value_loss(false);
  return config;
}

TEST(LearnerDivergence, ARunawayCriticIsToldFirstAndStopsTheRunWhenItLasts) {
  const Config config = Unstable(PpoConfig::STOP);
  Learner learner(config, Spec(), at::kCPU);
  int told = 0;
  const auto until_it_stops = [&] {
    for (int i = 0; i < 50; ++i) {
      told += Update(config, learner, 1e-3f).divergence != Divergence::kNone;
    }
  };
  EXPECT_THAT(until_it_stops, ThrowsMessage<Error>(HasSubstr("training diverged at update")));
  EXPECT_GE(told, DivergenceWatch::kPatience - 1);
}

TEST(LearnerDivergence, AWarningLetsTheRunContinue) {
  const Config config = Unstable(PpoConfig::WARN);
  Learner learner(config, Spec(), at::kCPU);
  int told = 0;
  for (int i = 0; i < 20; ++i) {
    told += Update(config, learner, 1e-3f).divergence != Divergence::kNone;
  }
  EXPECT_GE(told, DivergenceWatch::kPatience);
}

}  // namespace
}  // namespace dray
