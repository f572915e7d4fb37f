#include "src/config/dump.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "src/config/config.pb.h"
#include "src/config/yaml_loader.h"
#include "src/envs/cartpole/cartpole.pb.h"
#include "tests/config/test_env.pb.h"

namespace dray {
namespace {

using google::protobuf::util::MessageDifferencer;
using testing::HasSubstr;
using testing::Not;

Config Reload(const Config& config) {
  Config copy;
  LoadYamlText(DumpYaml(config), "dump", &copy);
  return copy;
}

TEST(Dump, HoldsEveryKeyWithItsEffectiveValue) {
  Config config;
  config.mutable_ppo()->set_learning_rate(0.3);
  const std::string yaml = DumpYaml(config);
  EXPECT_THAT(yaml, HasSubstr("env:\n  name: cartpole\n  cartpole:\n    max_steps: 500\n"));
  EXPECT_THAT(yaml, HasSubstr("  learning_rate: 0.3\n  learning_rate_schedule: linear\n"));
  EXPECT_THAT(yaml, HasSubstr("  adam_epsilon: 1e-05\n"));
  EXPECT_THAT(yaml, HasSubstr("  clip_value_loss: true\n"));
  EXPECT_THAT(yaml, HasSubstr("  device: auto\n"));
  EXPECT_THAT(yaml, HasSubstr("  dir: \"\"\n"));
}

TEST(Dump, LoadsAsAnEqualMessage) {
  EXPECT_TRUE(MessageDifferencer::Equivalent(Reload(Config()), Config()));

  Config config;
  config.mutable_env()->set_name("test_env");
  TestEnvConfig* env = config.mutable_env()->MutableExtension(test_env);
  env->set_speed_kmh(0.1f);
  env->set_key(UINT64_MAX);
  env->set_offset(INT64_MIN);
  env->set_fast(true);
  for (const double weight : {0.1, 1.0 / 3, 1e-300, 0.0, 1.0}) env->add_weights(weight);
  env->add_devices(MPS);
  config.mutable_train()->set_duration_s(1e22);
  config.mutable_ppo()->set_learning_rate(1.0 / 3);
  config.mutable_network()->add_hidden(3);
  config.mutable_run()->set_runner(RunConfig::RAY);
  EXPECT_TRUE(MessageDifferencer::Equivalent(Reload(config), config)) << DumpYaml(config);
}

TEST(Dump, AnyTextLoadsAsItself) {
  for (const std::string text : {"",
                                 "~",
                                 "null",
                                 "true",
                                 "no",
                                 "5",
                                 "-",
                                 "a: b",
                                 "# c",
                                 "[x",
                                 "it's",
                                 "\"q\" \\ \\n",
                                 "a\nb\tc",
                                 " lead",
                                 "trail ",
                                 "ünïcode/日本",
                                 "/abs/path-1.yaml",
                                 "a,b",
                                 "{",
                                 "---",
                                 "\x01\x7f",
                                 "%",
                                 "@"}) {
    Config config;
    config.mutable_run()->set_dir(text);
    EXPECT_EQ(Reload(config).run().dir(), text) << DumpYaml(config);
  }
}

TEST(Dump, HoldsOnlyTheMessageOfTheChosenEnvironment) {
  Config config;
  config.mutable_env()->MutableExtension(test_env)->set_level(9);
  EXPECT_THAT(DumpYaml(config), HasSubstr("cartpole:"));
  EXPECT_THAT(DumpYaml(config), Not(HasSubstr("test_env")));
  config.mutable_env()->set_name("unheard_of");
  EXPECT_THAT(DumpYaml(config), Not(HasSubstr("cartpole")));
}

std::vector<std::string> Changes(const Config& before, const Config& after) {
  std::vector<std::string> lines;
  for (const ChangedKey& key : ChangedKeys(before, after)) {
    lines.push_back(key.path + " " + key.before + " -> " + key.after);
  }
  return lines;
}

TEST(ChangedKeys, HoldPathAndBothValues) {
  Config before;
  Config after;
  after.mutable_ppo()->set_gamma(0.5);
  after.mutable_network()->add_hidden(32);
  after.mutable_env()->MutableExtension(cartpole)->set_max_steps(50);
  EXPECT_THAT(Changes(before, after),
              testing::ElementsAre("env.cartpole.max_steps 500 -> 50", "ppo.gamma 0.99 -> 0.5",
                                   "network.hidden [] -> [32]"));
}

TEST(ChangedKeys, AreNoneForADefaultWrittenOut) {
  Config before;
  Config after;
  after.mutable_ppo()->set_gamma(0.99);
  EXPECT_THAT(Changes(before, after), testing::IsEmpty());
}

TEST(ChangedKeys, OfAnotherEnvironmentHaveNoValueOnOneSide) {
  Config before;
  Config after;
  after.mutable_env()->set_name("unheard_of");
  EXPECT_THAT(Changes(before, after), testing::ElementsAre("env.name cartpole -> unheard_of",
                                                           "env.cartpole.max_steps 500 -> "));
}

}  // namespace
}  // namespace dray
