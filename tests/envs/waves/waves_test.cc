#include "src/envs/waves/waves.h"

#include <gtest/gtest.h>

#include <fstream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/waves/instances.h"
#include "tests/envs/waves/town.h"

namespace dray::waves {
namespace {

WavesConfig Small() {
  WavesConfig config;
  config.set_customers(20);
  config.set_draws(8);
  config.set_rounds(20);
  return config;
}

struct Play {
  explicit Play(const WavesConfig& config, uint64_t seed = 5)
      : env(std::make_shared<const WavesWorld>(config)),
        rng(seed, RngPurpose::kTest, 0),
        observation(env.spec().observation_size) {
    env.Reset(rng, observation);
  }

  Outcome Step(int action) { return env.Step({.index = action, .values = {}}, rng, observation); }
  // Plays an episode to its end with one action and returns the sum of rewards.
  double Episode(int action) {
    double total = 0;
    for (bool done = false; !done;) {
      const Outcome outcome = Step(action);
      total += outcome.reward;
      done = outcome.terminated;
    }
    return total;
  }
  std::vector<double> Stats() const {
    std::vector<double> stats(env.spec().episode_stats.size());
    env.WriteEpisodeStats(stats);
    return stats;
  }

  Waves env;
  Rng rng;
  std::vector<float> observation;
};

TEST(Waves, TheReturnIsTheDrivingTimeInHours) {
  for (const int action : {0, 1}) {
    Play play(Small());
    const double total = play.Episode(action);
    EXPECT_NEAR(total, -play.Stats()[0] / 3600, 1e-3);
    EXPECT_EQ(play.Stats()[1], action);
  }
}

TEST(Waves, TheFrameIsTheDayThatTheLastStepEnded) {
  Play play(Small());
  EXPECT_EQ(play.env.Frame(), "");
  play.Episode(0);
  const double cost = play.Stats()[0];
  play.env.Reset(play.rng, play.observation);  // as at once after an episode
  const Day day = DayOfFrame(InstancesOf(Small()), play.env.Frame());
  EXPECT_TRUE(day.done());
  EXPECT_EQ(day.cost(), cost);
  play.Step(0);
  EXPECT_EQ(play.env.Frame(), "");
}

TEST(Waves, DispatchingEverythingDecidesEachRequestAtMostOnce) {
  Play play(Small());
  int steps = 0;
  while (!play.Step(1).terminated) ++steps;
  EXPECT_LT(steps, play.Stats()[3]);
}

TEST(Waves, MoreRoundsPlanShorterRoutes) {
  double few = 0, many = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    WavesConfig config = Small();
    config.set_rounds(1);
    few += Play(config, seed).Episode(1);
    config.set_rounds(500);
    many += Play(config, seed).Episode(1);
  }
  EXPECT_GT(many, few);
}

TEST(Waves, DaysComeFromAllFiles) {
  WavesConfig config = Small();
  config.add_instances(TownFile());
  const std::string other = testing::TempDir() + "/other.txt";
  WriteFileAtomically(other, TownWith("NAME : town", "NAME : other"));
  config.add_instances(other);
  Play play(config);
  int towns = 0;
  for (int day = 0; day < 20; ++day) {
    towns += play.env.Render().starts_with("town, ");
    play.env.Reset(play.rng, play.observation);
  }
  EXPECT_GT(towns, 0);
  EXPECT_LT(towns, 20);
}

TEST(Waves, CarriedInstancesNeedNoFiles) {
  WavesConfig config = Small();
  config.add_instances(TownFile());
  Play read(config);
  CarryInstances(&config);
  EXPECT_EQ(config.instances(0), kTown);
  Play carried(config);
  EXPECT_EQ(read.Episode(1), carried.Episode(1));
  // Carrying again changes nothing.
  CarryInstances(&config);
  EXPECT_EQ(config.instances(0), kTown);
}

TEST(Waves, AnInstanceWithoutChoicesIsAnError) {
  WavesConfig config = Small();
  // One epoch: everything must go at once.
  std::string text = kTown;
  for (size_t at = text.find("TIME_WINDOW_SECTION\n1 0 28800\n") + 30; text[at] != 'E';
       at = text.find('\n', at) + 1) {
    const size_t opens = text.find(' ', at);
    text.replace(opens, text.find('\n', opens) - opens, " 7200 14400");
  }
  config.add_instances(text);
  Waves env(std::make_shared<const WavesWorld>(config));
  Rng rng(1, RngPurpose::kTest, 0);
  std::vector<float> observation(env.spec().observation_size);
  EXPECT_THROW(env.Reset(rng, observation), Error);
}

TEST(Waves, ALoadedStateIsSavedAsItWas) {
  Play play(Small());
  for (int step = 0; step < 12; ++step) {
    if (play.Step(step % 2).terminated) play.env.Reset(play.rng, play.observation);
    ByteWriter saved, again;
    play.env.Save(saved);
    Play other(Small(), 9);
    ByteReader in(saved.bytes(), "waves");
    other.env.Load(in);
    other.env.Save(again);
    EXPECT_EQ(saved.bytes(), again.bytes());
    EXPECT_EQ(play.env.Render(), other.env.Render());
  }
}

}  // namespace
}  // namespace dray::waves
