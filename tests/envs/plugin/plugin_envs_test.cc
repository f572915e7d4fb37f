#include "src/envs/plugin/plugin_envs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "src/base/file.h"
#include "src/env/registry.h"
#include "src/env/step_check.h"
#include "src/envs/batch_player.h"
#include "src/envs/cartpole/cartpole.h"
#include "src/envs/conformance.h"
#include "src/envs/plugin/header_text.h"

namespace dray {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string Library(const std::string& name) { return "tests/envs/plugin/lib" + name + ".so"; }

EnvConfig ConfigOf(const std::string& name, const std::string& options = "") {
  EnvConfig config;
  config.set_name("plugin");
  PluginConfig* plugin = config.MutableExtension(PluginConfig::plugin);
  plugin->set_library(Library(name));
  plugin->set_options(options);
  return config;
}

template <typename Body>
std::string ErrorOf(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "no error";
}

std::string MakingError(const std::string& name, const std::string& options = "") {
  return ErrorOf([&] { SpecOf(ConfigOf(name, options)); });
}

BatchPlayer Play(const EnvConfig& config, uint64_t first_index = 0, int count = 3) {
  const EnvStreams streams{.seed = 5, .first_index = first_index};
  return BatchPlayer(MakeBatchEnv(config, streams, count), streams);
}

// Returns the error of 100 steps.
std::string PlayingError(const std::string& options, uint64_t first_index = 0) {
  return ErrorOf([&] {
    BatchPlayer player = Play(ConfigOf("walk", options), first_index);
    player.Reset();
    for (int step = 1; step <= 100; ++step) {
      player.Step();
      CheckStep(player.env->spec(), player.Slots(), 0, step);
    }
  });
}

// Returns the names of the properties that are missing.
std::vector<std::string> Missing(const EnvConfig& config) {
  std::vector<std::string> names;
  for (const EnvProperty& property : EnvProperties()) {
    if (ErrorOf([&] { property.check(config); }) != "no error") names.emplace_back(property.name);
  }
  return names;
}

TEST(PluginEnvs, ALibraryThatCannotBeUsedIsAnErrorOfOneLine) {
  EXPECT_EQ(ErrorOf([] {
              SpecOf([] {
                EnvConfig config;
                config.set_name("plugin");
                return config;
              }());
            }),
            "env.plugin.library: name the library with the environments: --env ./libmy_env.so");
  EXPECT_THAT(MakingError("nowhere"), StartsWith(Library("nowhere") + ": no such library on "));
  const std::string text = testing::TempDir() + "text.so";
  WriteFileAtomically(text, "not a library");
  EnvConfig config = ConfigOf("walk");
  config.MutableExtension(PluginConfig::plugin)->set_library(text);
  EXPECT_THAT(ErrorOf([&] { SpecOf(config); }),
              StartsWith("the library cannot be loaded: " + text + ": "));
  EXPECT_EQ(MakingError("walk_without_entry"),
            Library("walk_without_entry") +
                ": exports no function dray_env; dray_env.h says what it must return");
  EXPECT_EQ(MakingError("walk_of_version_2"),
            Library("walk_of_version_2") +
                ": is made for version 2 of dray_env.h, this Dray has version 1; compile it with "
                "this Dray's header");
  EXPECT_EQ(MakingError("walk_without_step"),
            Library("walk_without_step") + ": its table has no function step");
  EXPECT_EQ(MakingError("walk_alone_with_save"),
            Library("walk_alone_with_save") +
                ": its table has only one of save and load; give both or neither");
}

TEST(PluginEnvs, ASpecThatMakesNoSenseIsAnError) {
  EXPECT_EQ(MakingError("walk", "fail_create"), Library("walk") + ": no walk today");
  EXPECT_THAT(MakingError("walk", "no_name"), HasSubstr("its dray_env_spec has no valid name"));
  EXPECT_THAT(MakingError("walk", "no_size"), HasSubstr("observation_size 0; it must be from 1"));
  EXPECT_THAT(MakingError("walk", "masked box"), HasSubstr("masked actions in a box"));
}

TEST(PluginEnvs, AnErrorNamesLibraryEnvironmentAndStep) {
  EXPECT_EQ(PlayingError("fail_step"),
            Library("walk") + ": environment 1 of walk, step 3: lost the way");
  EXPECT_EQ(PlayingError("fail_step", 7),
            Library("walk") + ": environment 8 of walk, step 3: lost the way");
  EXPECT_EQ(PlayingError("fail_reset"),
            Library("walk") + ": environment 0 of walk, at its start: no way to begin");
  EXPECT_THAT(PlayingError("nan"), HasSubstr("environment 0 of walk, step 3: observation[1] is "));
  EXPECT_THAT(PlayingError("masked no_mask"), HasSubstr("at its start: its mask allows no action"));
  EXPECT_THAT(PlayingError("masked odd_mask"), HasSubstr("its mask has other numbers than 0 or 1"));
  EXPECT_THAT(PlayingError("odd_flag"),
              HasSubstr("step 1: terminated and truncated must be 0 or 1"));
  EXPECT_THAT(PlayingError("odd_stat"), HasSubstr("its statistic total is "));
  EXPECT_THAT(PlayingError("fixed short"),
              HasSubstr("step 20: the episode ended, but with fixed_length all have 40 steps"));
  EXPECT_EQ(PlayingError("masked"), "no error");
}

TEST(PluginEnvs, SoundLibrariesHaveAllProperties) {
  for (const char* options : {"", "masked", "box", "fixed"}) {
    for (const char* name : {"walk", "walk_without_save"}) {
      EXPECT_THAT(Missing(ConfigOf(name, options)), testing::IsEmpty()) << name << " " << options;
    }
  }
  EXPECT_THAT(Missing(ConfigOf("my_cartpole")), testing::IsEmpty());
}

TEST(PluginEnvs, BrokenLibrariesLackWhatTheyBreak) {
  using testing::Contains;
  EXPECT_THAT(Missing(ConfigOf("walk", "clock")),
              Contains("the same seed and actions give the same bytes"));
  EXPECT_THAT(Missing(ConfigOf("walk", "shared")),
              Contains("an environment is the same in any layout"));
  EXPECT_THAT(Missing(ConfigOf("walk", "forgets")),
              testing::ElementsAre("a loaded batch goes on as the saved one would"));
  EXPECT_THAT(Missing(ConfigOf("walk", "nan")), Contains("everything is written and finite"));
  EXPECT_THAT(Missing(ConfigOf("walk", "fail_load")),
              Contains("a loaded batch goes on as the saved one would"));
}

TEST(PluginEnvs, EpisodesHaveTheLibrarysStatistics) {
  BatchPlayer player = Play(ConfigOf("walk"));
  EXPECT_EQ(player.env->spec().episode_stats, (std::vector<std::string>{"total", "place"}));
  player.Reset();
  std::vector<Episode> episodes;
  while (episodes.empty()) {
    player.Step();
    episodes = player.env->TakeEpisodes();
  }
  EXPECT_EQ(static_cast<float>(episodes[0].stats[0]),
            player.FinalObservationOf(episodes[0].env)[1]);
}

TEST(PluginEnvs, AStateOfAnotherVersionOfTheLibraryIsAnError) {
  BatchPlayer with = Play(ConfigOf("walk")), without = Play(ConfigOf("walk_without_save"));
  with.Reset();
  with.Step();
  EXPECT_THAT(ErrorOf([&] { without.Load(with.Saved()); }),
              HasSubstr("it was saved with another version of the library"));
}

// State of the built-in CartPole from that of the example: the number of steps comes first.
std::string BuiltInState(const BatchPlayer& player, int steps) {
  const std::string saved = player.Saved();
  ByteReader in(saved, "saved");
  ExpectSavedBatch("my_cartpole", 1, in);
  const std::string_view all = in.GetView();
  constexpr size_t kState = 4 * sizeof(double);
  // Behind the state follows the number of episodes, none.
  const std::string state(all.substr(all.size() - sizeof(uint64_t) - kState, kState));
  ByteWriter out;
  out.Put<int32_t>(steps);
  return out.Take() + state;
}

TEST(PluginEnvs, TheExampleMovesLikeTheBuiltInCartPoleBitForBit) {
  BatchPlayer player = Play(ConfigOf("my_cartpole"), 0, 1);
  player.Reset();
  CartPole built_in{CartPoleConfig()};
  const std::string state = BuiltInState(player, 0);
  ByteReader in(state, "state");
  built_in.Load(in);
  Rng rng(1, RngPurpose::kTest, 0);
  std::vector<float> observation(4);
  do {
    player.Step();
    const Outcome outcome =
        built_in.Step({.index = player.indices[0], .values = {}}, rng, observation);
    ASSERT_EQ(player.terminated[0], outcome.terminated);
    const auto shown = player.Ended(0) ? player.FinalObservationOf(0) : player.ObservationOf(0);
    ASSERT_TRUE(std::ranges::equal(shown, observation));
  } while (!player.Ended(0));
}

TEST(PluginEnvs, OptionsReachTheLibrary) {
  EXPECT_EQ(SpecOf(ConfigOf("my_cartpole", "max_steps=20 gravity=1")).max_episode_steps, 20);
  EXPECT_EQ(
      MakingError("my_cartpole", "gravity=1 size=3"),
      Library("my_cartpole") + ": cannot read the option \"size=3\"; known: gravity, max_steps");
}

TEST(PluginEnvs, AFileNameMeansALibrary) {
  EnvConfig config;
  config.set_name(Library("walk"));
  ReadEnvName(&config);
  EXPECT_EQ(config.name(), "plugin");
  EXPECT_EQ(config.GetExtension(PluginConfig::plugin).library(),
            std::filesystem::absolute(Library("walk")));
}

TEST(PluginEnvs, TheHeaderIsBuiltIn) {
  EXPECT_THAT(std::string(PluginHeaderText()), StartsWith("/* Environments for Dray"));
  EXPECT_THAT(std::string(PluginHeaderText()), testing::EndsWith("#endif\n"));
}

}  // namespace
}  // namespace dray
