#include "src/loop/early_stop.h"

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

std::string Check(const EarlyStopConfig& config, const std::vector<double>& compliances,
                  int64_t fewest_episodes) {
  std::vector<Episode> episodes;
  for (const double compliance : compliances) episodes.push_back(Of(compliance));
  return EarlyStop(config, Spec()).OnUpdate(episodes, fewest_episodes);
}

TEST(EarlyStop, TheMeanOfTheEpisodesDecides) {
  EXPECT_EQ(Check(Config(), {1.0, 0.7}, 5), "");
  EXPECT_EQ(Check(Config(), {1.0, 0.8}, 5),
            "Goal reached: mean compliance 0.9 of the last 2 episodes, 0.9 was wanted");
}

TEST(EarlyStop, NotBeforeEveryEnvironmentHasItsEpisodes) {
  EXPECT_EQ(Check(Config(), {1}, 2), "");
  EXPECT_NE(Check(Config(), {1}, 3), "");
}

TEST(EarlyStop, WithoutEpisodesNothingIsDecided) { EXPECT_EQ(Check(Config(), {}, 9), ""); }

TEST(EarlyStop, WithoutAStatisticNothingStops) { EXPECT_EQ(Check({}, {1}, 100), ""); }

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
