#include "src/run/early_stop.h"

#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

EnvSpec Spec() {
  EnvSpec spec;
  spec.name = "game";
  spec.episode_stats = {"speed", "compliance"};
  return spec;
}

EarlyStopConfig Config() {
  EarlyStopConfig config;
  config.set_stat("compliance");
  config.set_at_least(0.9);
  config.set_min_episodes_per_env(3);
  return config;
}

Episode Of(double compliance) {
  Episode episode;
  episode.stats = {100, compliance};
  return episode;
}

TEST(EarlyStop, TheMeanOfTheLatestUpdateDecides) {
  EarlyStop stop(Config(), Spec());
  stop.Add(Of(0.1));
  EXPECT_EQ(stop.OnUpdate(5), "");
  stop.Add(Of(1.0));
  stop.Add(Of(0.8));
  EXPECT_EQ(stop.OnUpdate(5),
            "Goal reached: mean compliance 0.9 of the last 2 episodes, 0.9 was wanted");
}

TEST(EarlyStop, NotBeforeEveryEnvironmentHasItsEpisodes) {
  EarlyStop stop(Config(), Spec());
  stop.Add(Of(1));
  EXPECT_EQ(stop.OnUpdate(2), "");
  stop.Add(Of(1));
  EXPECT_NE(stop.OnUpdate(3), "");
}

TEST(EarlyStop, AnUpdateWithoutEpisodesDecidesNothing) {
  EarlyStop stop(Config(), Spec());
  EXPECT_EQ(stop.OnUpdate(9), "");
}

TEST(EarlyStop, WithoutAStatisticNothingStops) {
  EarlyStop stop({}, Spec());
  stop.Add(Of(1));
  EXPECT_EQ(stop.OnUpdate(100), "");
}

TEST(EarlyStop, AnUnknownStatisticIsAnErrorThatNamesTheKnownOnes) {
  EarlyStopConfig config = Config();
  config.set_stat("comliance");
  try {
    EarlyStop stop(config, Spec());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "train.early_stop.stat: game has no episode statistic \"comliance\"; it has speed, "
              "compliance");
  }
}

}  // namespace
}  // namespace dray
