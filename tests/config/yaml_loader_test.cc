#include "src/config/yaml_loader.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "src/base/file.h"
#include "src/base/rng.h"
#include "src/config/config.pb.h"
#include "src/envs/cartpole/cartpole.pb.h"
#include "tests/config/error_text.h"
#include "tests/config/test_env.pb.h"

namespace dray {
namespace {

using google::protobuf::util::MessageDifferencer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Config Load(const std::string& text) {
  Config config;
  LoadYamlText(text, "x.yaml", &config);
  return config;
}

std::string ErrorOf(const std::string& text) {
  return UsageErrorOf([&] { Load(text); });
}

TestEnvConfig LoadTestEnv(const std::string& keys) {
  return Load("env: {test_env: {" + keys + "}}").env().GetExtension(test_env);
}

TEST(YamlLoader, AnEmptyFileEqualsTheDefaults) {
  for (const char* text : {"", "# nothing\n", "~", "---\n", "env:\nppo:\n", "{}"}) {
    EXPECT_TRUE(MessageDifferencer::Equivalent(Load(text), Config())) << text;
  }
}

TEST(YamlLoader, ValuesOfEveryTypeAreRead) {
  const Config config = Load(
      "train: {seed: 18446744073709551615, total_steps: 500000, duration_s: 1.5}\n"
      "ppo:\n"
      "  learning_rate: 2.5e-4\n"
      "  clip_value_loss: false\n"
      "  clip_schedule: linear\n"
      "network:\n"
      "  hidden: [256, 128]\n"
      "  initial_log_std: -0.5\n"
      "run: {device: cuda, dir: runs/a b, runner: ray}\n");
  EXPECT_EQ(config.train().seed(), UINT64_MAX);
  EXPECT_EQ(config.train().total_steps(), 500000);
  EXPECT_EQ(config.train().duration_s(), 1.5);
  EXPECT_EQ(config.ppo().learning_rate(), 2.5e-4);
  EXPECT_FALSE(config.ppo().clip_value_loss());
  EXPECT_EQ(config.ppo().clip_schedule(), LINEAR);
  EXPECT_THAT(config.network().hidden(), ElementsAre(256, 128));
  EXPECT_EQ(config.network().initial_log_std(), -0.5);
  EXPECT_EQ(config.run().device(), CUDA);
  EXPECT_EQ(config.run().dir(), "runs/a b");
  EXPECT_EQ(config.run().runner(), RunConfig::RAY);
}

TEST(YamlLoader, AnEnvironmentsOwnMessageIsFoundByItsShortName) {
  const Config config = Load("env: {name: cartpole, cartpole: {max_steps: 50}}");
  EXPECT_EQ(config.env().GetExtension(cartpole).max_steps(), 50);
}

TEST(YamlLoader, ExtensionsHoldListsAndGroupsOfTheirOwn) {
  const TestEnvConfig env = LoadTestEnv(
      "speed_kmh: 12.5, level: 4294967295, key: 7, offset: -9, fast: true, file: 5, "
      "weights: [0, .5, 1e-3], tags: [a, 'b c'], devices: [cpu, mps], inner: {depth: 2}");
  EXPECT_EQ(env.speed_kmh(), 12.5f);
  EXPECT_EQ(env.level(), UINT32_MAX);
  EXPECT_EQ(env.offset(), -9);
  EXPECT_TRUE(env.fast());
  EXPECT_EQ(env.file(), "5");
  EXPECT_THAT(env.weights(), ElementsAre(0, 0.5, 1e-3));
  EXPECT_THAT(env.tags(), ElementsAre("a", "b c"));
  EXPECT_THAT(env.devices(), ElementsAre(CPU, MPS));
  EXPECT_EQ(env.inner().depth(), 2);
}

TEST(YamlLoader, AnUnknownKeyNamesFileLinePathAndTheNearestKey) {
  EXPECT_EQ(ErrorOf("env:\n  name: cartpole\nppo:\n  learnin_rate: 1\n"),
            "x.yaml:4: ppo.learnin_rate: unknown key; did you mean learning_rate?");
  EXPECT_EQ(ErrorOf("env: {cartpole: {max_step: 1}}"),
            "x.yaml:1: env.cartpole.max_step: unknown key; did you mean max_steps?");
}

TEST(YamlLoader, AnUnknownKeyOfAnyBytesIsNamedInOneLine) {
  EXPECT_THAT(ErrorOf("\"a\\nb\\e[31m\": 1\n"), HasSubstr(R"("a\x0ab\x1b[31m": unknown key)"));
  EXPECT_THAT(ErrorOf(std::string(100, 'k') + ": 1\n"),
              HasSubstr(Cat('"', std::string(77, 'k'), "...\": unknown key")));
}

TEST(YamlLoader, WhatIsNoYamlIsSaidInOneLineWhateverItIs) {
  EXPECT_EQ(ErrorOf("run: {dir: \"a\\\x01\"}\n"),
            "x.yaml:1: not valid YAML: unknown escape character:  ");
}

TEST(YamlLoader, AKeyInTheWrongGroupIsToldItsPlace) {
  EXPECT_EQ(ErrorOf("\nlearning_rate: 1e-3\n"),
            "x.yaml:2: learning_rate: unknown key; did you mean ppo.learning_rate?");
}

TEST(YamlLoader, AKeyLikeNoOtherIsToldTheKnownOnes) {
  EXPECT_EQ(ErrorOf("normalize: {zzz: 1}"),
            "x.yaml:1: normalize.zzz: unknown key; known here: observations, rewards or clip");
  EXPECT_THAT(ErrorOf("ppo: {zzz: 1}"), HasSubstr("configs/REFERENCE.md"));
}

TEST(YamlLoader, AWrongTypeSaysWhatWasExpectedAndFound) {
  EXPECT_EQ(ErrorOf("scale: {num_envs: many}"),
            "x.yaml:1: scale.num_envs: expected a whole number, found \"many\"");
  EXPECT_EQ(ErrorOf("scale: {num_envs: '5'}"),
            "x.yaml:1: scale.num_envs: expected a whole number, found the text \"5\"");
  EXPECT_EQ(ErrorOf("ppo: {gamma: [1]}"), "x.yaml:1: ppo.gamma: expected a number, found a list");
  EXPECT_EQ(ErrorOf("ppo: {clip_value_loss: yes}"),
            "x.yaml:1: ppo.clip_value_loss: expected true or false, found \"yes\"");
  EXPECT_EQ(ErrorOf("ppo: {gamma: }"), "x.yaml:1: ppo.gamma: expected a number, found nothing");
  EXPECT_EQ(ErrorOf("run: {dir: {a: 1}}"),
            "x.yaml:1: run.dir: expected text, found a group of settings");
  EXPECT_EQ(ErrorOf("run: {dir: }"),
            "x.yaml:1: run.dir: expected text, found nothing; write \"\" for an empty text");
  EXPECT_EQ(ErrorOf("network: {hidden: 64}"),
            "x.yaml:1: network.hidden: expected a list of whole numbers, found \"64\"; write it in "
            "brackets: [a, b]");
  EXPECT_EQ(ErrorOf("network: {hidden: [64, wide]}"),
            "x.yaml:1: network.hidden[1]: expected a list of whole numbers, found an element "
            "\"wide\"");
  EXPECT_EQ(ErrorOf("ppo: 3"),
            "x.yaml:1: ppo: expected settings written as `key: value`, found \"3\"");
  EXPECT_EQ(ErrorOf("just words"),
            "x.yaml:1: expected settings written as `key: value`, found \"just words\"");
}

TEST(YamlLoader, AnUnknownChoiceListsTheKnownOnes) {
  EXPECT_EQ(ErrorOf("run: {device: gpu}"),
            "x.yaml:1: run.device: expected auto, cpu, cuda or mps, found \"gpu\"; did you mean "
            "cpu?");
  EXPECT_EQ(ErrorOf("run: {device: tensor}"),
            "x.yaml:1: run.device: expected auto, cpu, cuda or mps, found \"tensor\"");
}

TEST(YamlLoader, AValueOutOfRangeIsToldTheRange) {
  EXPECT_EQ(ErrorOf("scale:\n  num_envs: 0"),
            "x.yaml:2: scale.num_envs: 0 is out of range; it must be from 1 to 65536, or auto");
  EXPECT_EQ(ErrorOf("ppo: {learning_rate: 0}"),
            "x.yaml:1: ppo.learning_rate: 0 is out of range; it must be above 0 and at most 1");
  EXPECT_EQ(ErrorOf("train: {episodes: -1}"),
            "x.yaml:1: train.episodes: -1 is out of range; it must be at least 0");
  EXPECT_EQ(ErrorOf("network: {hidden: [64, 0]}"),
            "x.yaml:1: network.hidden[1]: 0 is out of range; it must be from 1 to 65536");
  EXPECT_THAT(ErrorOf("env: {test_env: {weights: [0.5, 1.5]}}"),
              HasSubstr("weights[1]: 1.5 is out"));
}

TEST(YamlLoader, WholeNumbersRejectFractionsExponentsAndOverflow) {
  EXPECT_EQ(ErrorOf("scale: {num_envs: 1.5}"),
            "x.yaml:1: scale.num_envs: expected a whole number, found \"1.5\"; drop the fraction");
  EXPECT_EQ(ErrorOf("train: {total_steps: 5e5}"),
            "x.yaml:1: train.total_steps: expected a whole number, found \"5e5\"; write it as "
            "500000");
  EXPECT_EQ(
      ErrorOf("scale: {num_envs: 4294967297}"),
      "x.yaml:1: scale.num_envs: 4294967297 is out of range; it must be from 1 to 65536, or auto");
  EXPECT_THAT(ErrorOf("ppo: {minibatch_size: 99999999999}"),
              HasSubstr("it must be at least 1 and at most 2147483647"));
  EXPECT_THAT(ErrorOf("train: {seed: -1}"),
              HasSubstr("-1 is out of range; it must be from 0 to 18446744073709551615"));
  EXPECT_THAT(ErrorOf("train: {seed: 18446744073709551616}"), HasSubstr("is out of range"));
  EXPECT_THAT(ErrorOf("train: {episodes: 9223372036854775808}"), HasSubstr("is out of range"));
}

TEST(YamlLoader, AutoIsANumberWhereARuleAllowsIt) {
  Config config;
  LoadYamlText("scale: {num_envs: auto}", "x.yaml", &config);
  EXPECT_EQ(config.scale().num_envs(), 0);
  EXPECT_THAT(ErrorOf("scale: {num_workers: auto}"), testing::HasSubstr("expected a whole number"));
}

TEST(YamlLoader, NumbersMustBeFinite) {
  for (const char* value : {".nan", "nan", ".inf", "-.inf", "inf", "-inf", "1e999"}) {
    EXPECT_THAT(ErrorOf(std::string("train: {duration_s: ") + value + "}"),
                HasSubstr("train.duration_s: expected a number, found \"" + std::string(value) +
                          "\"; it must be finite"));
  }
  EXPECT_THAT(ErrorOf("env: {test_env: {speed_kmh: 1e39}}"), HasSubstr("must be finite"));
  EXPECT_THAT(ErrorOf("train: {episodes: nan}"), HasSubstr("train.episodes"));
}

TEST(YamlLoader, AKeyGivenTwiceIsAnError) {
  EXPECT_EQ(ErrorOf("ppo:\n  gamma: 1\n  gamma: 1\n"),
            "x.yaml:3: ppo.gamma: given twice in this file; keep one of the two");
  EXPECT_EQ(ErrorOf("ppo: {}\nppo: {}\n"),
            "x.yaml:2: ppo: given twice in this file; keep one of the two");
}

TEST(YamlLoader, WhatIsNoYamlNamesTheLine) {
  EXPECT_THAT(ErrorOf("env:\n  name: [1\n"), StartsWith("x.yaml:"));
  EXPECT_THAT(ErrorOf("env:\n\tname: a\n"), StartsWith("x.yaml:2: not valid YAML: "));
  EXPECT_EQ(ErrorOf("env:\n---\nppo:\n"),
            "x.yaml:2: unexpected content; check the indentation and keep a "
            "single YAML document");
  EXPECT_THAT(ErrorOf(", env"), HasSubstr("x.yaml:1: unexpected content"));
  EXPECT_THAT(ErrorOf("? [a]\n: 1\n"), HasSubstr("a key must be a plain name, found a list"));
}

TEST(YamlLoader, ADamagedFileLoadsOrEndsInAUsageError) {
  const std::string whole =
      "env: {name: cartpole, cartpole: {max_steps: 50}}\n"
      "ppo:\n  learning_rate: 2.5e-4 # step\n  clip_schedule: &a linear\n"
      "network:\n  hidden:\n  - 64\n  - 64\nrun: {dir: \"a\\tb\", device: 'cpu'}\n";
  const std::string bytes = "{}[]:,-#&*!|>'\"%@`\\ \t\n?~<0.e\xff\x01";
  Rng rng(1, RngPurpose::kTest, 0);
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole.substr(0, rng.Below(8) == 0 ? rng.Below(whole.size()) : whole.size());
    for (uint32_t edits = rng.Below(4); edits > 0 && !text.empty(); --edits) {
      text[rng.Below(text.size())] = bytes[rng.Below(bytes.size())];
    }
    try {
      Load(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2) << text;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
}

class YamlInclude : public testing::Test {
 protected:
  YamlInclude() {
    std::filesystem::remove_all(folder_);
    MakeWritableFolder(folder_ + "/base");
  }
  void Write(const std::string& name, const std::string& text) {
    WriteFileAtomically(folder_ + "/" + name, text);
  }
  Config LoadFile(const std::string& name) {
    Config config;
    LoadYamlFile(folder_ + "/" + name, &config);
    return config;
  }
  std::string FileErrorOf(const std::string& name) {
    return UsageErrorOf([&] { LoadFile(name); });
  }

  const std::string folder_ = testing::TempDir() + "yaml_include";
};

TEST_F(YamlInclude, IsReadFirstAndRelativeToItsFile) {
  Write("base/deep.yaml", "ppo: {gamma: 0.5, clip: 0.1}\nnetwork: {hidden: [8, 8, 8]}");
  Write("base/mid.yaml", "include: deep.yaml\nppo: {gamma: 0.6}");
  Write("top.yaml", "network: {hidden: [16]}\ninclude: base/mid.yaml\n");
  const Config config = LoadFile("top.yaml");
  EXPECT_EQ(config.ppo().gamma(), 0.6);
  EXPECT_EQ(config.ppo().clip(), 0.1);
  EXPECT_THAT(config.network().hidden(), ElementsAre(16));
}

TEST_F(YamlInclude, OfAListIsReadInOrderAndTheSameFileMayComeTwice) {
  Write("a.yaml", "ppo: {gamma: 0.1, clip: 0.1}");
  Write("b.yaml", "include: a.yaml\nppo: {gamma: 0.2}");
  Write("c.yaml", "include: [a.yaml, b.yaml]");
  EXPECT_EQ(LoadFile("c.yaml").ppo().gamma(), 0.2);
}

TEST_F(YamlInclude, ACycleIsReportedWithItsChain) {
  Write("a.yaml", "include: b.yaml");
  Write("b.yaml", "\ninclude: [base/../a.yaml]");
  const std::string a = folder_ + "/a.yaml";
  const std::string b = folder_ + "/b.yaml";
  EXPECT_EQ(FileErrorOf("a.yaml"), b + ":2: include: " + a + " is included by itself (" + a +
                                       " -> " + b + " -> " + a + "); remove one of these includes");
}

TEST_F(YamlInclude, APresetIsIncludedByItsName) {
  std::filesystem::create_directories(folder_ + "/project/configs");
  Write("project/configs/fast.yaml", "ppo: {gamma: 0.25, clip: 0.3}");
  Write("mine.yaml", "include: fast\nppo: {clip: 0.5}");
  ::setenv("BUILD_WORKSPACE_DIRECTORY", (folder_ + "/project").c_str(), 1);
  const Config config = LoadFile("mine.yaml");
  EXPECT_EQ(config.ppo().gamma(), 0.25);
  EXPECT_EQ(config.ppo().clip(), 0.5);
  Write("fast", "ppo: {gamma: 0.75}");  // a file beside the including one comes first
  EXPECT_EQ(LoadFile("mine.yaml").ppo().gamma(), 0.75);
  ::unsetenv("BUILD_WORKSPACE_DIRECTORY");
}

TEST_F(YamlInclude, AMissingFileIsReportedWithItsChain) {
  Write("a.yaml", "env: {}\ninclude: gone.yaml");
  EXPECT_EQ(FileErrorOf("a.yaml"),
            folder_ + "/a.yaml:2: include: cannot read " + folder_ +
                "/gone.yaml: No such file or directory (" + folder_ + "/a.yaml -> " + folder_ +
                "/gone.yaml); give a file relative to this one, or a preset's name");
  EXPECT_EQ(FileErrorOf("none.yaml"),
            "cannot read " + folder_ +
                "/none.yaml: No such file or directory; give an existing file with --config");
}

TEST_F(YamlInclude, AnErrorInAnIncludedFileNamesThatFile) {
  Write("a.yaml", "include: b.yaml");
  Write("b.yaml", "ppo: {gama: 1}");
  EXPECT_EQ(FileErrorOf("a.yaml"),
            folder_ + "/b.yaml:1: ppo.gama: unknown key; did you mean gamma?");
}

TEST_F(YamlInclude, WhatIsNoFileNameIsAnError) {
  Write("a.yaml", "include: {b: c}");
  EXPECT_THAT(
      FileErrorOf("a.yaml"),
      HasSubstr("a.yaml:1: include: expected a file name or a list of them, found a group"));
  Write("b.yaml", "include:");
  EXPECT_THAT(FileErrorOf("b.yaml"), HasSubstr("found nothing"));
}

TEST(LoadYamlText, CannotIncludeFiles) {
  Config config;
  try {
    LoadYamlText("env: {name: cartpole}\ninclude: /etc/hostname\n", "the checkpoint", &config);
    FAIL() << "a file was included";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the checkpoint:2: include: only a settings file can include others");
  }
}

}  // namespace
}  // namespace dray
