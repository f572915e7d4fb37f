#include "src/config/overrides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/config/config.pb.h"
#include "src/envs/cartpole/cartpole.pb.h"
#include "tests/config/error_text.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Config Set(const std::string& assignment) {
  Config config;
  config.mutable_network()->add_hidden(7);
  ApplyOverride(ParseSet(assignment), &config);
  return config;
}

std::string ErrorOf(const std::string& assignment) {
  return UsageErrorOf([&] { Set(assignment); });
}

TEST(Overrides, AValueIsReadAsInYaml) {
  EXPECT_EQ(Set("ppo.learning_rate=1e-3").ppo().learning_rate(), 1e-3);
  EXPECT_EQ(Set("run.device=cuda").run().device(), CUDA);
  EXPECT_EQ(Set("run.dir=a=b").run().dir(), "a=b");
  EXPECT_EQ(Set("run.dir=\"\"").run().dir(), "");
  EXPECT_EQ(Set("env.cartpole.max_steps=9").env().GetExtension(cartpole).max_steps(), 9);
}

TEST(Overrides, AListReplacesTheListBeforeIt) {
  EXPECT_THAT(Set("network.hidden=[64,32]").network().hidden(), ElementsAre(64, 32));
  EXPECT_THAT(Set("network.hidden=[]").network().hidden(), ElementsAre());
}

TEST(Overrides, AGroupIsMergedIntoWhatWasThere) {
  const Config config = Set("network={activation: relu}");
  EXPECT_EQ(config.network().activation(), RELU);
  EXPECT_THAT(config.network().hidden(), ElementsAre(7));
}

TEST(Overrides, AMistakeNamesTheFlagThePathAndTheRemedy) {
  EXPECT_EQ(ErrorOf("ppo.learnin_rate=1"),
            "--set ppo.learnin_rate=1: ppo.learnin_rate: unknown key; did you mean learning_rate?");
  EXPECT_EQ(ErrorOf("pppo.gamma=1"), "--set pppo.gamma=1: pppo: unknown key; did you mean ppo?");
  EXPECT_EQ(ErrorOf("ppo.gamma=2"),
            "--set ppo.gamma=2: ppo.gamma: 2 is out of range; it must be from 0 to 1");
  EXPECT_EQ(ErrorOf("ppo.gamma="), "--set ppo.gamma=: ppo.gamma: expected a number, found nothing");
  EXPECT_EQ(ErrorOf("ppo.gamma.x=1"),
            "--set ppo.gamma.x=1: ppo.gamma: is a number and has no keys below it");
  EXPECT_THAT(ErrorOf("ppo..gamma=1"), HasSubstr("unknown key"));
  EXPECT_THAT(ErrorOf("ppo.gamma=[1"), HasSubstr("--set ppo.gamma=[1: not valid YAML: "));
}

TEST(Overrides, WhatIsNoAssignmentIsAnError) {
  EXPECT_EQ(ErrorOf("ppo.gamma"),
            "--set ppo.gamma: expected key=value, such as --set ppo.learning_rate=1e-3");
  EXPECT_THAT(ErrorOf("=1"), HasSubstr("expected key=value"));
}

}  // namespace
}  // namespace dray
