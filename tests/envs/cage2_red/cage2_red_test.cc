#include "src/envs/cage2_red/cage2_red.h"

#include <gtest/gtest.h>

#include "src/base/error.h"
#include "src/envs/cage2/red_view.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "tests/envs/cage2/made_up_run.h"

namespace dray {
namespace {

cage2::RedActions Actions() { return cage2::RedActions(cage2::ShippedNetwork()); }

Cage2RedConfig Against(const std::string& blue) {
  Cage2RedConfig config;
  config.set_blue(blue);
  return config;
}

// One environment under way, and a red that draws from what it may do.
struct Play {
  explicit Play(const Cage2RedConfig& config, uint64_t seed = 5)
      : env(config, cage2::MakeDefence(config)),
        rng(seed, RngPurpose::kTest, 0),
        choice(seed, RngPurpose::kAction, 0),
        observation(env.spec().observation_size),
        mask(static_cast<size_t>(Actions().count)) {
    env.Reset(rng, observation);
  }

  int Choose() {
    env.WriteMask(mask);
    std::vector<int> allowed;
    for (int i = 0; i < Actions().count; ++i) {
      if (mask[static_cast<size_t>(i)] == 1) allowed.push_back(i);
    }
    EXPECT_FALSE(allowed.empty());
    return allowed[choice.Below(static_cast<uint32_t>(allowed.size()))];
  }
  Outcome Step(int action) { return env.Step({.index = action, .values = {}}, rng, observation); }
  double Stat(size_t place) const {
    std::vector<double> stats(env.spec().episode_stats.size());
    env.WriteEpisodeStats(stats);
    return stats.at(place);
  }

  Cage2Red env;
  Rng rng;
  Rng choice;
  std::vector<float> observation;
  std::vector<uint8_t> mask;
};

const std::vector<std::string> kScripts = {"sleep", "random", "react_restore",
                                           "react_remove_restore"};

TEST(Cage2Red, MasksAreNeverEmptyAndAllowNoMoveThatRedCannotName) {
  for (const std::string& blue : kScripts) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Play play(Against(blue), seed);
      for (int step = 0; step < 100; ++step) {
        play.Step(play.Choose());
        EXPECT_EQ(play.mask[0], 1);
      }
    }
  }
}

TEST(Cage2Red, WhatRedWinsBlueLoses) {
  for (const std::string& blue : kScripts) {
    Play play(Against(blue));
    double total = 0;
    for (int step = 0; step < 100; ++step) total += play.Step(play.Choose()).reward;
    EXPECT_NEAR(total, -play.Stat(0), 1e-3) << blue;
    EXPECT_GE(total, 0);
  }
}

TEST(Cage2Red, BluesOwnRewardsForAWorkflowAreNotReds) {
  Config run = SmallRun("cage2");
  run.mutable_env()->MutableExtension(Cage2Config::cage2)->mutable_workflow()->set_enabled(true);
  Play play(Against(MadeUpRun("workflow_blue", run, 3)));
  double total = 0;
  for (int step = 0; step < 100; ++step) total += play.Step(play.Choose()).reward;
  EXPECT_NEAR(total, -play.Stat(0), 1e-3);
}

TEST(Cage2Red, TheNetworkIsTheOneThatBlueDefends) {
  Config run = SmallRun("cage2");
  Cage2Config* game = run.mutable_env()->MutableExtension(Cage2Config::cage2);
  game->set_scenario("configs/scenarios/file_server.yaml");
  game->set_red("meander");
  const Cage2RedConfig config = Against(MadeUpRun("other_network", run, 3));
  Cage2Red env(config, cage2::MakeDefence(config));
  const cage2::Network& network = cage2::NetworkOf(game->scenario());
  ASSERT_EQ(network.hosts, 16);
  EXPECT_EQ(env.spec().observation_size, cage2::RedValues(network));
  EXPECT_EQ(env.spec().actions.count, cage2::RedActions(network).count);
  Rng rng(1, RngPurpose::kTest, 0);
  std::vector<float> observation(static_cast<size_t>(env.spec().observation_size));
  std::vector<uint8_t> mask(static_cast<size_t>(env.spec().actions.count));
  env.Reset(rng, observation);
  double total = 0;
  for (int step = 0; step < 100; ++step) {
    env.WriteMask(mask);
    std::vector<int> allowed;
    for (size_t i = 0; i < mask.size(); ++i) {
      if (mask[i] == 1) allowed.push_back(static_cast<int>(i));
    }
    const int action = allowed[rng.Below(static_cast<uint32_t>(allowed.size()))];
    total += env.Step({.index = action, .values = {}}, rng, observation).reward;
  }
  EXPECT_GT(total, 0);
}

// The same chance, blue's actions and red's moves through the game alone.
TEST(Cage2Red, IsTheGameOfCage2WithTheSameMoves) {
  for (const std::string& blue : kScripts) {
    Play play(Against(blue), 9);
    Rng rng(9, RngPurpose::kTest, 0);
    rng.Next64();  // what red's and blue's own numbers are seeded by
    rng.Next64();
    cage2::RngChance chance(rng);
    cage2::Game game;
    game.Reset(cage2::RedAgent::kLearned);
    for (int step = 0; step < 100; ++step) {
      const int action = play.Choose();
      const Outcome outcome = play.Step(action);
      const cage2::StepRecord record =
          game.Step(play.env.blue_action(), chance, cage2::RedMoveOf(action, game.network()));
      ASSERT_FLOAT_EQ(outcome.reward, static_cast<float>(-record.reward()));
      ASSERT_EQ(outcome.terminated, step == 99);
    }
  }
}

// A blue that acts, but not where red is: until red's answers differ, it cannot tell.
TEST(Cage2Red, GamesThatDifferOnlyInWhatRedCannotKnowLookTheSame) {
  int hidden = 0, told = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Play asleep(Against("sleep"), seed), awake(Against("random"), seed);
    for (int step = 0; step < 100; ++step) {
      const int action = asleep.Choose();
      asleep.Step(action);
      awake.Step(action);
      const auto red_of = [](const Play& play) {
        const std::string story = play.env.Render();
        const size_t red = story.find("  red");
        return story.substr(red, story.find('\n', red) - red);
      };
      const bool ports_differ = action >= Actions().scan && action < Actions().exploit;
      if (red_of(asleep) != red_of(awake) ||
          (ports_differ && asleep.observation != awake.observation)) {
        ++told;
        break;
      }
      ASSERT_EQ(asleep.observation, awake.observation) << red_of(asleep);
      ++hidden;
    }
  }
  EXPECT_GT(hidden, 300);
  EXPECT_GT(told, 10);
}

TEST(Cage2Red, ASavedEpisodeGoesOnBitForBit) {
  std::vector<std::string> blues = kScripts;
  blues.push_back(MadeUpRun("saved_blue", SmallRun("cage2"), 4));
  for (const std::string& blue : blues) {
    Play play(Against(blue));
    for (int step = 0; step < 40; ++step) play.Step(play.Choose());
    ByteWriter out;
    play.env.Save(out);
    play.rng.Save(out);
    Play copy(Against(blue), 77);
    ByteReader in(out.bytes(), "a saved game");
    copy.env.Load(in);
    copy.rng.Load(in);
    in.ExpectEnd();
    for (int step = 40; step < 100; ++step) {
      const int action = play.Choose();
      EXPECT_EQ(play.Step(action).reward, copy.Step(action).reward) << blue << " " << step;
      ASSERT_EQ(play.observation, copy.observation) << blue << " " << step;
    }
  }
}

TEST(Cage2Red, TheRulesAreItsOwnWhateverBlueWasTrainedUnder) {
  Config run = SmallRun("cage2");
  Cage2Config* game = run.mutable_env()->MutableExtension(Cage2Config::cage2);
  game->set_release(Cage2Config::LEADERBOARD);
  game->set_max_steps(7);
  game->set_interface(Cage2Config::REDUCED);
  const cage2::Defence defence = cage2::MakeDefence(Against(MadeUpRun("ruled_blue", run, 4)));
  EXPECT_EQ(defence.game.release(), Cage2Config::HEAD);
  EXPECT_EQ(defence.game.max_steps(), 100);
  EXPECT_EQ(defence.game.interface(), Cage2Config::REDUCED);
}

}  // namespace
}  // namespace dray
