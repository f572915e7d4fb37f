#include "src/envs/cage2/opponents.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "src/base/error.h"
#include "src/envs/cage2/cage2.h"
#include "src/envs/cage2/cage2_red.pb.h"
#include "tests/envs/cage2/made_up_run.h"

namespace dray {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Cage2Config Against(const std::string& run, const std::string& red = "learned") {
  Cage2Config config;
  config.set_red(red);
  config.set_red_policy(run);
  return config;
}

struct Play {
  explicit Play(const Cage2Config& config, uint64_t seed = 5)
      : env(config), rng(seed, RngPurpose::kTest, 0), observation(env.spec().observation_size) {
    env.Reset(rng, observation);
  }

  // What a step did, in words.
  std::string Step(int action) {
    env.Step({.index = action, .values = {}}, rng, observation);
    return env.Render();
  }
  std::string Episode() {
    std::string story;
    for (int step = 0; step < 60; ++step) story += Step(step % 145) + "\n";
    return story;
  }

  Cage2 env;
  Rng rng;
  std::vector<float> observation;
};

std::string ErrorOf(const Cage2Config& config) {
  try {
    Cage2 env(config);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Opponents, ALearnedRedPlaysTheSameGameForTheSameSeed) {
  const std::string run = MadeUpRun("red", SmallRun("cage2_red"), 1);
  const std::string story = Play(Against(run)).Episode();
  EXPECT_EQ(Play(Against(run)).Episode(), story);
  EXPECT_NE(Play(Against(run), 6).Episode(), story);
  EXPECT_NE(Play(Against(MadeUpRun("other_red", SmallRun("cage2_red"), 2))).Episode(), story);
  EXPECT_THAT(story, HasSubstr("looks for hosts in User"));
}

TEST(Opponents, InAMixtureItLeavesTheOthersEpisodesAsTheyWere) {
  const std::string run = MadeUpRun("mixed_red", SmallRun("cage2_red"), 1);
  Play with(Against(run, "0.5 bline, 0.5 learned")), without(Against("", "0.5 bline, 0.5 sleep"));
  // Up to the first episode that is another's.
  int alike = 0;
  while (with.env.Render() == without.env.Render() && alike < 20) {
    EXPECT_EQ(with.Episode(), without.Episode());
    ++alike;
    with.env.Reset(with.rng, with.observation);
    without.env.Reset(without.rng, without.observation);
  }
  EXPECT_EQ(with.env.Render(), alike < 20 ? "Red is learned" : "");
}

TEST(Opponents, ASavedEpisodeGoesOnBitForBit) {
  const std::string run = MadeUpRun("saved_red", SmallRun("cage2_red"), 1);
  Play play(Against(run));
  for (int step = 0; step < 30; ++step) play.Step(step);
  ByteWriter out;
  play.env.Save(out);
  play.rng.Save(out);
  Play copy(Against(run), 77);
  ByteReader in(out.bytes(), "a saved game");
  copy.env.Load(in);
  copy.rng.Load(in);
  in.ExpectEnd();
  for (int step = 30; step < 90; ++step) EXPECT_EQ(copy.Step(step), play.Step(step));
}

TEST(Opponents, TheMostProbableMoveIsAlwaysTheSame) {
  Cage2Config config = Against(MadeUpRun("greedy_red", SmallRun("cage2_red"), 1));
  config.set_red_greedy(true);
  Play a(config, 5), b(config, 6);
  const auto first = [](Play& play) { return play.Step(0) + play.Step(0) + play.Step(0); };
  EXPECT_EQ(first(a), first(b));
}

TEST(Opponents, ARunThatCarriesItsOpponentNeedsNoFolder) {
  const std::string run = MadeUpRun("carried_red", SmallRun("cage2_red"), 1);
  Cage2Config config = Against(run);
  const std::string story = Play(config).Episode();
  config.set_red_carried(cage2::CarryOpponents(cage2::RedOpponent(config)));
  std::filesystem::remove_all(run);
  EXPECT_EQ(Play(config).Episode(), story);
  const std::string again = cage2::CarryOpponents(cage2::RedOpponent(config));
  EXPECT_EQ(again, config.red_carried());
  config.set_red_policy("/another/run");
  EXPECT_THAT(ErrorOf(config), StartsWith("env.cage2.red_policy: /another/run: no such folder"));
}

TEST(Opponents, WhatAnOpponentWasTrainedAgainstIsNotCarriedAlong) {
  Config run = SmallRun("cage2_red");
  run.mutable_env()
      ->MutableExtension(Cage2RedConfig::cage2_red)
      ->set_blue_carried(std::string(1000000, 'x'));
  const std::string carried =
      cage2::CarryOpponents(cage2::RedOpponent(Against(MadeUpRun("nested_red", run, 1))));
  EXPECT_LT(carried.size(), size_t{100000});
}

// Stories of the first episodes of a game.
std::vector<std::string> Episodes(Play& play, int count) {
  std::vector<std::string> stories;
  for (int i = 0; i < count; ++i) {
    stories.push_back(play.Episode());
    play.env.Reset(play.rng, play.observation);
  }
  return stories;
}

TEST(Opponents, SeveralPlayTheirSharesOfTheEpisodes) {
  const std::string one = MadeUpRun("pool/one", SmallRun("cage2_red"), 1);
  const std::string two = MadeUpRun("pool/two", SmallRun("cage2_red"), 2);
  Cage2Config config = Against(Cat("0.75 ", one, ", 0.25 ", two));
  config.set_red_greedy(true);
  const auto player = cage2::MakeTrainedRed(config);
  ASSERT_EQ(player->policies(), size_t{2});
  Rng rng(3, RngPurpose::kTest, 0);
  int first = 0;
  for (int i = 0; i < 10000; ++i) first += player->DrawPolicy(rng) == 0;
  EXPECT_NEAR(first, 7500, 200);
  // Greedy policies make the same first move in every episode: there are as many as policies.
  Play play(config);
  std::set<std::string> moves;
  for (int i = 0; i < 30; ++i) {
    moves.insert(play.Step(0));
    play.env.Reset(play.rng, play.observation);
  }
  EXPECT_LE(moves.size(), size_t{2});
  const std::string folder = std::filesystem::path(one).parent_path();
  const std::vector<cage2::Opponent> all = ReadOpponents(cage2::RedOpponent(Against(folder)));
  ASSERT_EQ(all.size(), size_t{2});
  EXPECT_EQ(all[0].path, one);
  EXPECT_EQ(all[1].path, two);
  EXPECT_EQ(all[0].share, 0.5);
}

TEST(Opponents, ARunCarriesSeveralAndSavesWhichOnePlays) {
  const std::string one = MadeUpRun("carried_pool/one", SmallRun("cage2_red"), 1);
  const std::string two = MadeUpRun("carried_pool/two", SmallRun("cage2_red"), 2);
  const std::string folder = std::filesystem::path(one).parent_path();
  for (const std::string& text : {folder, Cat("0.3 ", one, ", 0.7 ", two), Cat(one, ", ", two)}) {
    Cage2Config config = Against(text);
    Play before(config);
    const std::vector<std::string> stories = Episodes(before, 8);
    config.set_red_carried(cage2::CarryOpponents(cage2::RedOpponent(config)));
    std::filesystem::rename(folder, folder + "_moved");
    Play play(config);
    EXPECT_EQ(Episodes(play, 8), stories);
    EXPECT_EQ(cage2::CarryOpponents(cage2::RedOpponent(config)), config.red_carried());
    for (int episode = 0; episode < 8; ++episode) {
      for (int step = 0; step < 30; ++step) play.Step(step);
      ByteWriter out;
      play.env.Save(out);
      play.rng.Save(out);
      Play copy(config, 77);
      ByteReader in(out.bytes(), "a saved game");
      copy.env.Load(in);
      copy.rng.Load(in);
      in.ExpectEnd();
      for (int step = 30; step < 60; ++step) EXPECT_EQ(copy.Step(step), play.Step(step));
      play.env.Reset(play.rng, play.observation);
    }
    std::filesystem::rename(folder + "_moved", folder);
  }
}

TEST(Opponents, MistakesAreNamed) {
  EXPECT_EQ(ErrorOf(Against("")),
            "env.cage2.red_policy: names no policy; give the folder of a run of cage2_red, or one "
            "of its checkpoints");
  EXPECT_THAT(ErrorOf(Against("/no/such/run", "0.5 bline, 0.5 learned")),
              HasSubstr("/no/such/run: no such folder"));
  EXPECT_THAT(ErrorOf(Against("0.5 /one, 0.4 /two")),
              StartsWith("env.cage2.red_policy: the shares of "));
  EXPECT_EQ(ErrorOf(Against("/no/such/run", "bline")), "") << "nobody asks for it";
  EXPECT_THAT(ErrorOf(Against(MadeUpRun("a_blue", SmallRun("cage2"), 1))),
              AllOf(StartsWith("env.cage2.red_policy: "),
                    HasSubstr("is a policy for cage2, but one for cage2_red is needed")));
}

}  // namespace
}  // namespace dray
