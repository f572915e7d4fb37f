#include "src/commands/evaluate_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "src/commands/run_arguments.h"
#include "src/config/command.h"
#include "src/envs/cage2/cage2.pb.h"
#include "tests/config/error_text.h"

namespace dray {

namespace commands {
Command evaluate();
}

namespace {

class EvaluateArgumentsTest : public testing::Test {
 protected:
  EvaluateArgumentsTest() { setenv("BUILD_WORKING_DIRECTORY", folder_.c_str(), 1); }
  ~EvaluateArgumentsTest() override { unsetenv("BUILD_WORKING_DIRECTORY"); }

  static EvaluateArguments Evaluate(const std::vector<std::string>& arguments) {
    const Command evaluate = commands::evaluate();
    return ReadEvaluateArguments(GivenFlags(evaluate.flags, *evaluate.settings, arguments));
  }

  const std::string folder_ = testing::TempDir() + "evaluate_arguments";
};

TEST_F(EvaluateArgumentsTest, OverridesCanBePutOnAnotherConfig) {
  Config saved;
  saved.mutable_ppo()->set_gamma(0.5);
  ApplyOverrides(Evaluate({"--run-dir", "/r", "--seed", "9"}).overrides, &saved);
  EXPECT_EQ(saved.ppo().gamma(), 0.5);
  EXPECT_EQ(saved.evaluation().seed(), 9u);
  EXPECT_EQ(saved.run().dir(), "/r");
}

TEST_F(EvaluateArgumentsTest, EvaluateOfAScriptedPolicyNeedsNoRun) {
  const EvaluateArguments line =
      Evaluate({"--policy", "sleep", "--env", "cage2", "--red", "meander", "--release",
                "leaderboard", "--wrapper", "cardiff", "--green", "on"});
  EXPECT_EQ(line.policy, "sleep");
  const Cage2Config& game = line.config.env().GetExtension(Cage2Config::cage2);
  EXPECT_EQ(game.red(), "meander");
  EXPECT_EQ(game.release(), Cage2Config::LEADERBOARD);
  EXPECT_EQ(game.wrapper(), Cage2Config::CARDIFF);
  EXPECT_EQ(game.green(), Cage2Config::ON);
  EXPECT_EQ(UsageErrorOf([] {
              Evaluate({"--policy", "sleep", "--env", "cage2", "--wrapper", "cardif"});
            }),
            "--wrapper cardif: env.cage2.wrapper: expected stock or cardiff, found \"cardif\"; did "
            "you mean cardiff?");
}

TEST_F(EvaluateArgumentsTest, APolicyMayGoWithARunOrWithout) {
  EXPECT_FALSE(Evaluate({"--policy", "sleep", "--env", "cage2"}).with_run);
  EXPECT_TRUE(Evaluate({"--policy", "plan", "--run-dir", "runs/a"}).with_run);
  EXPECT_TRUE(Evaluate({"--policy", "plan", "--checkpoint", "a.ckpt"}).with_run);
}

TEST_F(EvaluateArgumentsTest, EveryRedIsAskedForByName) {
  const EvaluateArguments line = Evaluate({"--run-dir", "runs/a", "--red", "all"});
  EXPECT_EQ(line.every_value_of, "red");
  EXPECT_TRUE(std::ranges::none_of(line.overrides,
                                   [](const Override& o) { return o.path == "env.<env>.red"; }));
}

TEST_F(EvaluateArgumentsTest, SettingsOfARunsEnvironmentWaitForTheRun) {
  const EvaluateArguments line = Evaluate({"--run-dir", "runs/a", "--red", "meander"});
  Config config;
  config.mutable_env()->set_name("cage2");
  ApplyOverrides(line.overrides, &config);
  EXPECT_EQ(config.env().GetExtension(Cage2Config::cage2).red(), "meander");
  config.mutable_env()->set_name("pendulum");
  EXPECT_EQ(UsageErrorOf([&] { ApplyOverrides(line.overrides, &config); }),
            "--red meander: env.pendulum.red: the environment pendulum has no red; set env.name to "
            "one that has: cage2");
}

TEST_F(EvaluateArgumentsTest, EvaluateHasFlagsOfItsOwn) {
  const EvaluateArguments line =
      Evaluate({"--run-dir", "runs/a", "--episodes", "3", "--seed", "5", "--env", "pendulum",
                "--render", "--json", "--checkpoint", "c.ckpt"});
  EXPECT_EQ(line.config.run().dir(), folder_ + "/runs/a");
  EXPECT_EQ(line.config.evaluation().episodes(), 3);
  EXPECT_EQ(line.config.evaluation().seed(), 5u);
  EXPECT_EQ(line.config.env().name(), "pendulum");
  EXPECT_EQ(line.checkpoint, folder_ + "/c.ckpt");
  EXPECT_TRUE(line.render && line.json);
  EXPECT_EQ(UsageErrorOf([] { Evaluate({}); }),
            "evaluate: no policy given; use --run-dir runs/NAME, --checkpoint FILE, "
            "--pretrained NAME or a scripted --policy");
  EXPECT_EQ(UsageErrorOf([] { Evaluate({"--customers=5"}); }),
            "--customers: unknown flag; --help lists the known ones");
}

}  // namespace
}  // namespace dray
