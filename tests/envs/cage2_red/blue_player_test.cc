#include "src/envs/cage2_red/blue_player.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "src/base/error.h"
#include "src/envs/cage2_red/cage2_red.h"
#include "tests/envs/cage2/made_up_run.h"

namespace dray::cage2 {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Cage2RedConfig Against(const std::string& blue) {
  Cage2RedConfig config;
  config.set_blue(blue);
  return config;
}

std::string ErrorOf(const Cage2RedConfig& config) {
  try {
    MakeDefence(config);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Blue's actions against a red that searches its own subnet again and again.
std::vector<int> ActionsOf(const Cage2RedConfig& config, uint64_t seed = 5) {
  Cage2Red env(config, MakeDefence(config));
  Rng rng(seed, RngPurpose::kTest, 0);
  std::vector<float> observation(env.spec().observation_size);
  env.Reset(rng, observation);
  std::vector<int> actions;
  for (int step = 0; step < 30; ++step) {
    env.Step({.index = 3, .values = {}}, rng, observation);
    actions.push_back(env.blue_action());
  }
  return actions;
}

TEST(BluePlayer, ScriptsAreKnownByName) {
  EXPECT_EQ(ActionsOf(Against("sleep")), std::vector<int>(30, 0));
  EXPECT_NE(ActionsOf(Against("random")), std::vector<int>(30, 0));
  EXPECT_FALSE(MeetsTrainedBlue(Against("react_restore")));
  EXPECT_TRUE(MeetsTrainedBlue(Against("runs/first")));
}

TEST(BluePlayer, ATrainedOneDrawsOrTakesTheMostProbable) {
  Cage2RedConfig config = Against(MadeUpRun("blue", SmallRun("cage2"), 1));
  EXPECT_NE(ActionsOf(config), ActionsOf(config, 6));
  config.set_blue_greedy(true);
  EXPECT_EQ(ActionsOf(config), ActionsOf(config, 6));
}

TEST(BluePlayer, ACarriedOneNeedsNoFolder) {
  const std::string run = MadeUpRun("carried_blue", SmallRun("cage2"), 1);
  Cage2RedConfig config = Against(run);
  const std::vector<int> actions = ActionsOf(config);
  config.set_blue_carried(CarryOpponents(BlueOpponent(config)));
  std::filesystem::remove_all(run);
  EXPECT_EQ(ActionsOf(config), actions);
}

TEST(BluePlayer, SeveralTakeTurnsAndAreSaved) {
  const std::string one = MadeUpRun("blue_one", SmallRun("cage2"), 1);
  const std::string two = MadeUpRun("blue_two", SmallRun("cage2"), 2);
  Cage2RedConfig config = Against(Cat(one, ", ", two));
  config.set_blue_greedy(true);
  const Defence defence = MakeDefence(config);
  const std::unique_ptr<BluePlayer> player = defence.make_player();
  const EnvSpec spec = Cage2(SmallRun("cage2").env().GetExtension(Cage2Config::cage2)).spec();
  const std::vector<float> observation(spec.observation_size);
  const std::vector<uint8_t> mask(spec.actions.count, 1);
  Rng rng(3, RngPurpose::kTest, 0);
  std::map<int, int> played;
  for (int episode = 0; episode < 1000; ++episode) {
    player->Begin(rng);
    const int action = player->Act(observation, mask, rng);
    ++played[action];
    ByteWriter out;
    player->Save(out);
    const std::unique_ptr<BluePlayer> copy = defence.make_player();
    ByteReader in(out.bytes(), "a saved blue");
    copy->Load(in);
    EXPECT_EQ(copy->Act(observation, mask, rng), action);
  }
  ASSERT_EQ(played.size(), size_t{2}) << "each always takes its own most probable action";
  EXPECT_NEAR(played.begin()->second, 500, 80);
  EXPECT_THROW(
      {
        const uint32_t third = 2;
        ByteReader in({reinterpret_cast<const char*>(&third), sizeof third}, "a saved blue");
        player->Load(in);
      },
      Error);
}

TEST(BluePlayer, SeveralPlayTheSameGame) {
  Config other = SmallRun("cage2");
  Cage2Config* game = other.mutable_env()->MutableExtension(Cage2Config::cage2);
  game->set_red("meander");
  game->set_first_share(0.1);
  const std::string one = MadeUpRun("blue_here", SmallRun("cage2"), 1);
  EXPECT_EQ(ErrorOf(Against(Cat(one, ", ", MadeUpRun("blue_there", other, 2)))), "");
  game->set_observe_history(true);
  EXPECT_THAT(ErrorOf(Against(Cat(one, ", ", MadeUpRun("blue_elsewhere", other, 2)))),
              AllOf(StartsWith("env.cage2_red.blue: "), HasSubstr("observe_history")));
}

TEST(BluePlayer, MistakesAreNamed) {
  EXPECT_THAT(ErrorOf(Against("slepp")),
              AllOf(StartsWith("env.cage2_red.blue: "), HasSubstr("slepp: no such folder"),
                    HasSubstr("sleep, random, react_restore, react_remove_restore")));
  EXPECT_THAT(ErrorOf(Against("")), HasSubstr("names no policy"));
  EXPECT_THAT(ErrorOf(Against(MadeUpRun("a_red", SmallRun("cage2_red"), 1))),
              HasSubstr("is a policy for cage2_red, but one for cage2 is needed"));
}

}  // namespace
}  // namespace dray::cage2
