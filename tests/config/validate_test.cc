#include "src/config/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "src/config/yaml_loader.h"
#include "tests/config/error_text.h"

namespace dray {
namespace {

using testing::HasSubstr;

std::string ErrorOf(const std::string& yaml) {
  Config config;
  LoadYamlText(yaml, "x.yaml", &config);
  return UsageErrorOf([&] { Validate(config); });
}

TEST(Validate, TheDefaultsAreValid) { EXPECT_NO_THROW(Validate(Config())); }

TEST(Validate, EnvironmentsPerWorkerNeedWorkers) {
  EXPECT_EQ(ErrorOf("scale: {num_envs_per_worker: 8}"),
            "scale.num_envs_per_worker: 8 needs scale.num_workers; give both, or scale.num_envs "
            "alone");
}

TEST(Validate, WorkersTimesEnvironmentsStaysInRange) {
  EXPECT_EQ(ErrorOf("scale: {num_workers: 4096, num_envs_per_worker: 65536}"),
            "scale.num_workers: 4096 workers of 65536 environments are more than the 65536 that "
            "scale.num_envs allows; lower one of the two");
}

TEST(Validate, EveryWorkerHasAnEnvironment) {
  EXPECT_EQ(ErrorOf("scale: {num_envs: 4, num_workers: 8}"),
            "scale.num_workers: 8 workers cannot share 4 environments; raise scale.num_envs or "
            "lower scale.num_workers");
}

TEST(Validate, SomethingStopsTheRun) {
  EXPECT_EQ(ErrorOf("train: {episodes: 0}"),
            "train: nothing stops the run; set train.episodes, train.epochs, train.total_steps or "
            "train.duration_s");
}

TEST(Validate, PolicyLagGoesWithAnUpdateEveryEpoch) {
  EXPECT_EQ(
      ErrorOf("ppo: {max_policy_lag: 2, update_interval: 3}"),
      "ppo.update_interval: 3 cannot be combined with ppo.max_policy_lag 2; reset one of them "
      "(update_interval 1, or max_policy_lag 0)");
}

TEST(Validate, ANetworkHasAtMost64Layers) {
  std::string layers = "8";
  for (int i = 1; i < 64; ++i) layers += ",8";
  Config config;
  LoadYamlText("network: {hidden: [" + layers + "]}", "x.yaml", &config);
  EXPECT_NO_THROW(Validate(config));
  EXPECT_EQ(ErrorOf("network: {hidden: [" + layers + ",8]}"),
            "network.hidden: has 65 layers; at most 64 are allowed");
}

TEST(Validate, HeadsShareTheWidthEvenly) {
  EXPECT_THAT(ErrorOf("network: {kind: attention, attention_heads: 5}"),
              HasSubstr("network.attention_heads: 5 heads"));
}

TEST(Validate, AttentionSeesObservationsAsTheyAre) {
  EXPECT_THAT(ErrorOf("network: {kind: attention}\nnormalize: {observations: true}"),
              HasSubstr("normalize.observations: cannot be combined with"));
}

TEST(Validate, TheEnvironmentHasAName) {
  EXPECT_EQ(ErrorOf("env: {name: \"\"}"), "env.name: is empty; name the environment to train on");
}

// What a message says that never was YAML.
std::string EachErrorOf(const std::function<void(Config&)>& change) {
  Config config;
  change(config);
  return UsageErrorOf([&] { ValidateEach(config); });
}

TEST(ValidateEach, ASettingOutOfItsRangeIsToldTheRange) {
  EXPECT_NO_THROW(ValidateEach(Config()));
  EXPECT_EQ(EachErrorOf([](Config& c) { c.mutable_ppo()->set_minibatch_size(-3); }),
            "ppo.minibatch_size: -3 is out of range; it must be at least 1");
  EXPECT_THAT(EachErrorOf([](Config& c) {
                c.mutable_network()->add_hidden(64);
                c.mutable_network()->add_hidden(1 << 30);
              }),
              HasSubstr("network.hidden: 1073741824 is out of range"));
}

TEST(ValidateEach, NumbersMustBeFinite) {
  for (const double number : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    EXPECT_THAT(EachErrorOf([=](Config& c) { c.mutable_ppo()->set_learning_rate(number); }),
                HasSubstr("ppo.learning_rate: "));
  }
}

TEST(ValidateEach, AutoIsZero) {
  EXPECT_NO_THROW(ValidateEach([] {
    Config config;
    config.mutable_scale()->set_num_envs(0);
    return config;
  }()));
}

}  // namespace
}  // namespace dray
