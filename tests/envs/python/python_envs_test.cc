// Environments in Python through their workers: same numbers in any layout, states, masks,
// statistics, and everything that an environment can do wrong.

#include "src/envs/python/python_envs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "src/base/error.h"
#include "src/envs/conformance.h"
#include "tests/envs/batch_player.h"

namespace dray {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr uint64_t kSeed = 5;

PythonConfig Settings(const std::string& env, const std::vector<std::string>& options = {}) {
  PythonConfig config;
  config.set_env(env);
  for (const std::string& option : options) config.add_options(option);
  config.set_folder("tests/envs/python");
  return config;
}

PythonConfig Bad(const std::string& how) { return Settings("sample_envs:Bad", {"how=" + how}); }

BatchPlayer Player(const PythonConfig& config, int count = 3, uint64_t first = 0) {
  const EnvStreams streams{kSeed, RngPurpose::kEnvironment, first};
  return {std::make_unique<PythonEnvs>(config, streams, count), streams};
}

std::string ErrorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string ErrorInSteps(const PythonConfig& config, int steps = 20) {
  return ErrorOf([&] {
    BatchPlayer player = Player(config);
    player.Reset();
    for (int i = 0; i < steps; ++i) player.Step();
  });
}

TEST(PythonEnvs, AnEnvironmentIsTheSameInAnyLayout) {
  for (const char* env : {"gym:CartPole-v1", "gym:Pendulum-v1", "sample_envs:Walk"}) {
    PythonConfig two_workers = Settings(env);
    two_workers.set_workers(2);
    BatchPlayer whole = Player(Settings(env), 5, 0);
    BatchPlayer part = Player(two_workers, 2, 3);
    whole.Reset();
    part.Reset();
    EXPECT_NE(whole.BytesOf(0), whole.BytesOf(1));
    for (int step = 0; step < 60; ++step) {
      whole.Step();
      part.Step();
      for (size_t i = 0; i < 2; ++i) ASSERT_EQ(whole.BytesOf(i + 3), part.BytesOf(i)) << step;
    }
  }
}

TEST(PythonEnvs, EpisodesAreReportedWithTheirStatistics) {
  BatchPlayer player = Player(Settings("sample_envs:Walk"));
  EXPECT_THAT(player.env->spec().episode_stats, testing::ElementsAre("furthest"));
  player.Reset();
  std::vector<float> last(3);
  size_t episodes = 0, truncated = 0, terminated = 0;
  for (int step = 0; step < 200; ++step) {
    player.Step();
    for (const Episode& episode : player.env->TakeEpisodes()) {
      const float end = player.FinalObservationOf(episode.env)[0];
      EXPECT_EQ(player.FinalObservationOf(episode.env)[1], episode.length);
      EXPECT_EQ(player.ObservationOf(episode.env)[1], 0);
      EXPECT_EQ(player.terminated[episode.env], std::abs(end) > 3);
      EXPECT_EQ(player.truncated[episode.env], episode.length == 20);
      EXPECT_GE(episode.stats.at(0), std::abs(end) - 1e-5);
      EXPECT_LT(episode.total_reward, 0);
      truncated += player.truncated[episode.env];
      terminated += player.terminated[episode.env];
      ++episodes;
    }
  }
  EXPECT_GE(episodes, 15u);
  EXPECT_GT(terminated, 0u);
  EXPECT_GT(truncated, 0u);
}

TEST(PythonEnvs, MasksComeFromInfoOrFromAMethod) {
  for (const char* by : {"info", "method"}) {
    BatchPlayer player = Player(Settings("sample_envs:Masked", {std::string("by=") + by}));
    ASSERT_TRUE(player.env->spec().masked);
    player.Reset();
    for (int step = 0; step < 50; ++step) {
      player.Step();  // the environment rejects an action that its mask forbids
      const int parity = static_cast<int>(player.ObservationOf(0)[1]) % 2;
      EXPECT_EQ(player.masks[parity], 1);
      EXPECT_EQ(player.masks[1 - parity], 0);
    }
  }
}

TEST(PythonEnvs, ALoadedBatchGoesOnAsTheSavedOneWould) {
  for (const char* env : {"gym:CartPole-v1", "sample_envs:Walk", "sample_envs:Stateful"}) {
    BatchPlayer original = Player(Settings(env));
    original.Reset();
    for (int step = 0; step < 7; ++step) original.Step();
    BatchPlayer copy = Player(Settings(env), 3, 9);
    copy.Load(original.Saved());
    for (int step = 0; step < 60; ++step) {
      original.Step();
      copy.StepWith({.indices = original.indices, .values = original.values});
      for (size_t i = 0; i < 3; ++i) ASSERT_EQ(copy.BytesOf(i), original.BytesOf(i)) << step;
    }
    EXPECT_EQ(copy.env->TakeEpisodes().size(), original.env->TakeEpisodes().size());
  }
}

TEST(PythonEnvs, PassTheSuiteOfBuiltInTasks) {
  EnvConfig config;
  config.set_name("python");
  *config.MutableExtension(python) = Settings("gym:CartPole-v1");
  for (const EnvProperty& property : EnvProperties()) {
    EXPECT_EQ(ErrorOf([&] { property.check(config); }), "") << property.name;
  }
}

TEST(PythonEnvs, AVectorEnvGivesWhatItsEnvironmentsWould) {
  for (const char* nested : {"nested=false", "nested=true"}) {
    for (const std::vector<std::string>& kind : std::vector<std::vector<std::string>>{
             {}, {"mode=Disabled"}, {"processes=true"}, {"mode=Disabled", "processes=true"}}) {
      std::vector<std::string> options = kind;
      options.emplace_back(nested);
      PythonConfig vector = Settings("sample_envs:counts", options);
      vector.set_workers(2);
      BatchPlayer single = Player(Settings("sample_envs:Count", {nested}), 5);
      BatchPlayer several = Player(vector, 5);
      EXPECT_EQ(several.env->spec().episode_stats, single.env->spec().episode_stats);
      EXPECT_TRUE(several.env->spec().masked);
      single.Reset();
      several.Reset();
      size_t episodes = 0;
      for (int step = 0; step < 30; ++step) {
        single.Step();
        several.StepWith({.indices = single.indices, .values = single.values});
        for (size_t i = 0; i < 5; ++i) ASSERT_EQ(several.BytesOf(i), single.BytesOf(i)) << step;
        const std::vector<Episode> expected = single.env->TakeEpisodes();
        const std::vector<Episode> reported = several.env->TakeEpisodes();
        ASSERT_EQ(reported.size(), expected.size());
        for (size_t i = 0; i < expected.size(); ++i) {
          EXPECT_EQ(reported[i].stats, expected[i].stats);
          EXPECT_EQ(reported[i].total_reward, expected[i].total_reward);
          EXPECT_THAT(several.FinalObservationOf(reported[i].env),
                      testing::ElementsAreArray(single.FinalObservationOf(expected[i].env)));
        }
        episodes += expected.size();
      }
      EXPECT_GE(episodes, 15u);
    }
  }
}

TEST(PythonEnvs, ALoadedVectorEnvStartsNewEpisodes) {
  BatchPlayer original = Player(Settings("sample_envs:counts"));
  EXPECT_THAT(original.env->spec().notes, testing::ElementsAre(HasSubstr("cannot be saved")));
  original.Reset();
  for (int step = 0; step < 2; ++step) original.Step();
  BatchPlayer copy = Player(Settings("sample_envs:counts"), 3, 9);
  copy.Load(original.Saved());
  copy.Step();
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(copy.truncated[i]);
    EXPECT_EQ(copy.ObservationOf(i)[1], 0);
  }
  EXPECT_THAT(copy.env->TakeEpisodes(), IsEmpty());
  copy.Step();
  EXPECT_EQ(copy.ObservationOf(0)[1], 1);
}

TEST(PythonEnvs, AVectorEnvThatGoesWrongIsDescribed) {
  const auto error = [](const std::string& how) {
    return ErrorInSteps(Settings("sample_envs:BadVector", {"how=" + how}));
  };
  EXPECT_THAT(error("raise"), AllOf(HasSubstr("ZeroDivisionError"), HasSubstr("sample_envs.py:")));
  EXPECT_THAT(error("shape"), HasSubstr("the observations are float32 of shape (1, 1, 2)"));
  EXPECT_THAT(error("reward"), HasSubstr("the rewards are float64 of shape ()"));
  EXPECT_THAT(error("mask"), HasSubstr("infos have no \"action_mask\""));
  EXPECT_THAT(error("final"), HasSubstr("final_obs cannot be divided"));
}

TEST(PythonEnvs, WhatCannotBeSavedStartsNewEpisodes) {
  BatchPlayer original = Player(Settings("sample_envs:Unsaved"));
  EXPECT_THAT(original.env->spec().notes, testing::ElementsAre(HasSubstr("cannot be saved")));
  original.Reset();
  for (int step = 0; step < 2; ++step) original.Step();
  const std::vector<float> seen = original.observations;
  BatchPlayer copy = Player(Settings("sample_envs:Unsaved"), 3, 9);
  copy.Load(original.Saved());
  copy.env->TakeEpisodes();
  original.Step();
  copy.StepWith({.indices = original.indices, .values = original.values});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(copy.truncated[i]);
    EXPECT_FALSE(copy.terminated[i]);
    EXPECT_EQ(copy.rewards[i], 0);
    EXPECT_EQ(copy.ObservationOf(i)[1], 0);
    EXPECT_EQ(copy.FinalObservationOf(i)[0], seen[i * 2]);
  }
  EXPECT_THAT(copy.env->TakeEpisodes(), IsEmpty());
  copy.Step();
  EXPECT_EQ(copy.ObservationOf(0)[1], 1);
}

TEST(PythonEnvs, ADamagedStateIsAnError) {
  BatchPlayer player = Player(Settings("sample_envs:Walk"));
  player.Reset();
  const std::string saved = player.Saved();
  EXPECT_THROW(player.Load(std::string_view(saved).substr(0, saved.size() / 2)), Error);
  std::string flipped = saved;
  flipped[saved.find("Walk")] ^= 1;  // in a pickle
  EXPECT_THROW(player.Load(flipped), Error);
  EXPECT_THROW(Player(Settings("gym:CartPole-v1")).Load(saved), Error);
  player.Load(saved);
  player.Step();
}

TEST(PythonEnvs, SpacesAreFlattenedAndCombined) {
  const auto spec = [](const std::string& observation, const std::string& action) {
    return Player(Settings("sample_envs:Wide", {"observation=" + observation, "action=" + action}))
        .env->spec();
  };
  EXPECT_EQ(spec("box", "discrete").observation_size, 6);
  EXPECT_EQ(spec("dict", "discrete").observation_size, 7);
  EXPECT_EQ(spec("tuple", "discrete").observation_size, 6);
  EXPECT_EQ(spec("box", "discrete").actions.count, 4);
  EXPECT_EQ(spec("box", "multidiscrete").actions.count, 6);
  EXPECT_EQ(spec("box", "multibinary").actions.count, 8);
  EXPECT_EQ(spec("box", "tuple").actions.count, 8);
  EXPECT_EQ(spec("box", "boxes").actions.low, (std::vector<float>{0, -1, -1}));
}

TEST(PythonEnvs, EveryActionIsOneOfTheEnvironment) {
  for (const char* action : {"box", "discrete", "multidiscrete", "multibinary", "tuple", "boxes"}) {
    BatchPlayer player =
        Player(Settings("sample_envs:Wide", {"observation=dict", std::string("action=") + action}));
    player.Reset();
    for (int step = 0; step < 30; ++step) player.Step();
    EXPECT_TRUE(std::isfinite(player.observations[0])) << action;
  }
}

TEST(PythonEnvs, UnsupportedEnvironmentsAreRejectedByName) {
  const auto error = [](const std::string& observation, const std::string& action) {
    return ErrorOf([&] {
      Player(Settings("sample_envs:Wide", {"observation=" + observation, "action=" + action}));
    });
  };
  EXPECT_THAT(error("text", "discrete"), HasSubstr("observation space Text(1, 5"));
  EXPECT_THAT(error("sequence", "discrete"), HasSubstr("observation space Sequence(Discrete(2)"));
  EXPECT_THAT(error("graph", "discrete"), HasSubstr("observation space Graph("));
  EXPECT_THAT(error("box", "text"), HasSubstr("action space Text("));
  EXPECT_THAT(error("box", "huge"), HasSubstr("10,000 combinations"));
  EXPECT_THAT(error("box", "mixed"), HasSubstr("mixes a Box with discrete parts"));
  EXPECT_THAT(error("box", "pixels"), HasSubstr("uint8 is not continuous"));
  EXPECT_THAT(error("box", "endless box"), HasSubstr("finite bounds"));
  EXPECT_THAT(
      ErrorInSteps(Settings("sample_envs:two")),
      HasSubstr("makes a VectorEnv of 2 environments where Dray needs 1: let it take num_envs"));
  EXPECT_THAT(ErrorInSteps(Settings("sample_envs:counts", {"mode=NextStep"})),
              HasSubstr("resets an environment one step after its end"));
  EXPECT_THAT(ErrorInSteps(Settings("sample_envs:number")), HasSubstr("makes a int"));
  EXPECT_THAT(ErrorInSteps(Settings("sample_envs:missing")), HasSubstr("has no missing"));
  EXPECT_THAT(ErrorInSteps(Settings("no_module:make")), HasSubstr("no module no_module"));
  EXPECT_THAT(ErrorInSteps(Settings("gym:NoSuch-v1")), HasSubstr("NoSuch"));
  EXPECT_THAT(ErrorInSteps(Settings("CartPole")), HasSubstr("gym:CartPole-v1"));
  EXPECT_THAT(ErrorInSteps(Settings("gym:CartPole-v1", {"size"})), HasSubstr("is not NAME=VALUE"));
  EXPECT_THAT(ErrorInSteps(Settings("sample_envs:broken")),
              AllOf(HasSubstr("OSError: no such world"), HasSubstr("sample_envs.py:")));
}

TEST(PythonEnvs, AnExceptionNamesEnvironmentStepAndPlace) {
  EXPECT_THAT(ErrorInSteps(Bad("raise")),
              AllOf(HasSubstr("environment 0 of sample_envs:Bad, step 3 of its episode"),
                    HasSubstr("ZeroDivisionError: division by zero"), HasSubstr("sample_envs.py:"),
                    HasSubstr("in _raise"), Not(HasSubstr("\n"))));
  EXPECT_THAT(ErrorInSteps(Bad("leave")), HasSubstr("SystemExit: 3"));
  EXPECT_THAT(ErrorInSteps(Bad("raise in reset")),
              AllOf(HasSubstr("environment 0 of"), HasSubstr("RuntimeError: no reset today")));
}

TEST(PythonEnvs, WrongValuesAreDescribed) {
  EXPECT_THAT(ErrorInSteps(Bad("shape")), HasSubstr("observation has shape (3,), not (2,)"));
  EXPECT_THAT(ErrorInSteps(Bad("text")), HasSubstr("observation is of type <U4, not float32"));
  EXPECT_THAT(ErrorInSteps(Bad("reward")), HasSubstr("the reward is None, not a number"));
  EXPECT_THAT(ErrorInSteps(Bad("terminated")), HasSubstr("terminated is 'yes'"));
  EXPECT_THAT(ErrorInSteps(Bad("other space")), HasSubstr("the observation space became Box("));
}

TEST(PythonEnvs, LostWorkersAreReplacedAndCounted) {
  for (const char* how : {"exit", "kill", "hang"}) {
    PythonConfig config = Bad(how);
    config.set_workers(3);
    if (std::string(how) == "hang") config.set_step_timeout_s(3);
    BatchPlayer player = Player(config);
    player.Reset();
    for (int step = 0; step < 2; ++step) player.Step();
    const std::vector<float> seen = player.observations;
    player.Step();
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(player.truncated[i]);
      EXPECT_EQ(player.rewards[i], 0);
      EXPECT_EQ(player.ObservationOf(i)[1], 0);
      EXPECT_EQ(player.FinalObservationOf(i)[0], seen[i * 2]);
    }
    EXPECT_THAT(player.env->TakeRolloutStats(), testing::ElementsAre(3));
    EXPECT_THAT(player.env->TakeRolloutStats(), testing::ElementsAre(0));
    EXPECT_THAT(player.env->TakeEpisodes(), IsEmpty());
  }
}

TEST(PythonEnvs, AWorkerThatIsLostAgainAndAgainEndsTheRun) {
  EXPECT_THAT(ErrorInSteps(Bad("exit"), 100),
              AllOf(HasSubstr("ended with status 7"), HasSubstr("replaced 5 times")));
}

TEST(PythonEnvs, AnExceptionReplacesTheWorkerIfToldTo) {
  for (const char* how : {"raise", "nan", "nan reward", "shape"}) {
    PythonConfig config = Bad(how);
    config.set_on_error(PythonConfig::REPLACE);
    BatchPlayer player = Player(config);
    player.Reset();
    for (int step = 0; step < 4; ++step) player.Step();
    EXPECT_THAT(player.env->TakeRolloutStats(), testing::ElementsAre(1)) << how;
    EXPECT_EQ(player.ObservationOf(0)[1], 1);
  }
}

TEST(PythonEnvs, AForkLeavesTheConversationToItsParent) {
  BatchPlayer forking = Player(Bad("fork"));
  BatchPlayer calm = Player(Bad("nothing"));
  forking.Reset();
  calm.Reset();
  for (int step = 0; step < 40; ++step) {
    forking.Step();
    calm.Step();
    for (size_t i = 0; i < 3; ++i) ASSERT_EQ(forking.BytesOf(i), calm.BytesOf(i)) << step;
  }
}

}  // namespace
}  // namespace dray
