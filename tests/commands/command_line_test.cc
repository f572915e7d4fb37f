#include "src/commands/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "src/base/file.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cartpole/cartpole.pb.h"
#include "tests/config/error_text.h"
#include "tests/config/test_env.pb.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A folder of the user's with configs/dvrptw_64.yaml, configs/other.yaml and configs/routes.yaml.
class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    std::filesystem::remove_all(folder_);
    MakeWritableFolder(folder_ + "/configs");
    WriteFileAtomically(folder_ + "/configs/dvrptw_64.yaml", "train: {seed: 1}\n");
    WriteFileAtomically(folder_ + "/configs/other.yaml",
                        "train: {seed: 2, epochs: 9, total_steps: 900, episodes: 90}\n"
                        "scale: {num_workers: 4, num_envs_per_worker: 8}\n"
                        "run: {dir: from_yaml}\n");
    WriteFileAtomically(folder_ + "/configs/routes.yaml", "env: {name: test_env}\n");
    setenv("BUILD_WORKING_DIRECTORY", folder_.c_str(), 1);
    unsetenv("BUILD_WORKSPACE_DIRECTORY");
  }
  ~CommandLineTest() override { unsetenv("BUILD_WORKING_DIRECTORY"); }

  void WriteRun(const std::string& name, const std::string& settings) const {
    MakeWritableFolder(folder_ + "/" + name);
    WriteFileAtomically(folder_ + "/" + name + "/config.yaml", settings);
  }
  static CommandLine Train(const std::vector<std::string>& arguments) {
    return ParseCommandLine(Command::kTrain, arguments);
  }
  static CommandLine Evaluate(const std::vector<std::string>& arguments) {
    return ParseCommandLine(Command::kEvaluate, arguments);
  }
  static std::string TrainError(const std::vector<std::string>& arguments) {
    return UsageErrorOf([&] { Train(arguments); });
  }

  const std::string folder_ = testing::TempDir() + "command_line";
};

TEST_F(CommandLineTest, WithoutFlagsTheDefaultConfigIsRead) {
  const CommandLine line = Train({});
  EXPECT_EQ(line.config_file, folder_ + "/configs/dvrptw_64.yaml");
  EXPECT_EQ(line.config.train().seed(), 1u);
  EXPECT_FALSE(line.help || line.dry_run || line.resume);
}

TEST_F(CommandLineTest, FlagsOverrideSetsAndSetsOverrideYaml) {
  EXPECT_EQ(Train({"--config", "other"}).config.train().seed(), 2u);
  EXPECT_EQ(Train({"--config", "other", "--set", "train.seed=3"}).config.train().seed(), 3u);
  EXPECT_EQ(
      Train({"--seed", "4", "--config", "other", "--set", "train.seed=3"}).config.train().seed(),
      4u);
}

TEST_F(CommandLineTest, EveryNamedFlagSetsItsSetting) {
  const Config config =
      Train({"--runner", "ray",           "--run-dir=r", "--seed",          "7",  "--num-envs",
             "12",       "--episodes",    "100",         "--save-interval", "5",  "--log-interval",
             "6",        "--device",      "cpu",         "--duration",      "5m", "--epochs",
             "8",        "--total-steps", "9",           "--num-workers",   "3",  "--learning-rate",
             "1e-3"})
          .config;
  EXPECT_EQ(config.run().runner(), RAY);
  EXPECT_EQ(config.run().dir(), folder_ + "/r");
  EXPECT_EQ(config.train().seed(), 7u);
  EXPECT_EQ(config.scale().num_envs(), 12);
  EXPECT_EQ(config.train().episodes(), 100);
  EXPECT_EQ(config.run().save_interval(), 5);
  EXPECT_EQ(config.run().log_interval(), 6);
  EXPECT_EQ(config.run().device(), CPU);
  EXPECT_EQ(config.train().duration_s(), 300);
  EXPECT_EQ(config.train().epochs(), 8);
  EXPECT_EQ(config.train().total_steps(), 9);
  EXPECT_EQ(config.scale().num_workers(), 3);
  EXPECT_EQ(config.ppo().learning_rate(), 1e-3);
}

TEST_F(CommandLineTest, AliasesMeanTheSame) {
  const Config config =
      Train({"--n-envs", "12", "--num-episodes=100", "--duration", "0.01"}).config;
  EXPECT_EQ(config.scale().num_envs(), 12);
  EXPECT_EQ(config.train().episodes(), 100);
  EXPECT_EQ(config.train().duration_s(), 36);
  EXPECT_EQ(Train({"--checkpoint-dir", "a"}).config.run().dir(), folder_ + "/a");
  EXPECT_EQ(Train({"--output-dir", "b"}).config.run().dir(), folder_ + "/b");
}

TEST_F(CommandLineTest, OfRepeatedFlagsTheLastWins) {
  EXPECT_EQ(Train({"--n-envs", "3", "--num-envs", "5"}).config.scale().num_envs(), 5);
  const Config config =
      Train({"--set", "ppo.gamma=0.1", "--set", "ppo.clip=0.3", "--set=ppo.gamma=0.2"}).config;
  EXPECT_EQ(config.ppo().gamma(), 0.2);
  EXPECT_EQ(config.ppo().clip(), 0.3);
}

TEST_F(CommandLineTest, AFlagIsNotOutrankedByOtherSettingsOfTheFile) {
  const TrainConfig episodes = Train({"--config", "other", "--episodes", "5"}).config.train();
  EXPECT_EQ(episodes.episodes(), 5);
  EXPECT_EQ(episodes.total_steps(), 0);
  EXPECT_EQ(episodes.epochs(), 0);
  const TrainConfig steps = Train({"--config", "other", "--total-steps", "5"}).config.train();
  EXPECT_EQ(steps.total_steps(), 5);
  EXPECT_EQ(steps.epochs(), 0);
  const TrainConfig all =
      Train({"--config", "other", "--epochs", "3", "--total-steps", "5", "--episodes", "7"})
          .config.train();
  EXPECT_EQ(all.epochs(), 3);
  EXPECT_EQ(all.total_steps(), 5);
  EXPECT_EQ(all.episodes(), 7);
}

TEST_F(CommandLineTest, WorkersTimesEnvironmentsPerWorkerSetTheNumberOfEnvironments) {
  EXPECT_EQ(Train({"--config", "other"}).config.scale().num_envs(), 32);
  EXPECT_EQ(Train({"--num-workers", "3", "--num-envs-per-worker", "5"}).config.scale().num_envs(),
            15);
  const ScaleConfig scale = Train({"--config", "other", "--num-envs", "64"}).config.scale();
  EXPECT_EQ(scale.num_envs(), 64);
  EXPECT_EQ(scale.num_workers(), 4);
  EXPECT_EQ(scale.num_envs_per_worker(), 0);
}

TEST_F(CommandLineTest, TheRunFolderOfAFileIsFromWhereTheUserStands) {
  EXPECT_EQ(Train({"--config", "other"}).config.run().dir(), folder_ + "/from_yaml");
}

TEST_F(CommandLineTest, ARunFolderMayHaveAnyName) {
  EXPECT_EQ(Train({"--run-dir", "/a: [b, #c"}).config.run().dir(), "/a: [b, #c");
}

TEST_F(CommandLineTest, ResumeTakesAFolderOrUsesTheRunFolder) {
  WriteRun("runs/a", "");
  const CommandLine named = Train({"--resume", "runs/a", "--dry-run"});
  EXPECT_TRUE(named.resume && named.dry_run);
  EXPECT_EQ(named.config.run().dir(), folder_ + "/runs/a");
  EXPECT_EQ(Train({"--resume=runs/a"}).config.run().dir(), folder_ + "/runs/a");
  const CommandLine bare = Train({"--resume", "--run-dir", "runs/a"});
  EXPECT_TRUE(bare.resume);
  EXPECT_EQ(bare.config.run().dir(), folder_ + "/runs/a");
  EXPECT_EQ(Train({"--resume", "--config", "other"}).config.run().dir(), folder_ + "/from_yaml");
}

TEST_F(CommandLineTest, AResumedRunStartsFromItsOwnSettings) {
  WriteRun("runs/a", "env: {name: test_env}\nppo: {gamma: 0.5}\nrun: {dir: /moved/from/here}\n");
  const CommandLine line = Train({"--resume", "runs/a", "--seed", "9", "--customers", "40"});
  EXPECT_EQ(line.config_file, folder_ + "/runs/a/config.yaml");
  EXPECT_EQ(line.config.ppo().gamma(), 0.5);
  EXPECT_EQ(line.config.train().seed(), 9u);
  EXPECT_EQ(line.config.env().GetExtension(test_env).num_customers(), 40);
  EXPECT_EQ(line.config.run().dir(), folder_ + "/runs/a");
}

TEST_F(CommandLineTest, ResumeNeedsOneRunThatExists) {
  const std::string which = "--resume: which run? Name its folder: --resume runs/NAME";
  EXPECT_EQ(TrainError({"--resume"}), which);
  EXPECT_EQ(TrainError({"--resume", "--config", "dvrptw_64"}), which);
  EXPECT_EQ(TrainError({"--resume", "a", "--run-dir", "b"}),
            "--resume a: a resumed run goes on in its own folder; drop --run-dir b");
  EXPECT_EQ(TrainError({"--resume", "gone"}), "--resume " + folder_ + "/gone: there is no " +
                                                  folder_ +
                                                  "/gone/config.yaml; name the folder of a run");
}

TEST_F(CommandLineTest, OverridesCanBePutOnAnotherConfig) {
  Config saved;
  saved.mutable_ppo()->set_gamma(0.5);
  ApplyOverrides(Evaluate({"--run-dir", "/r", "--seed", "9"}).overrides, &saved);
  EXPECT_EQ(saved.ppo().gamma(), 0.5);
  EXPECT_EQ(saved.evaluation().seed(), 9u);
  EXPECT_EQ(saved.run().dir(), "/r");
}

TEST_F(CommandLineTest, CustomersAreThoseOfTheChosenEnvironment) {
  const Config config = Train({"--customers", "40", "--config", "routes"}).config;
  EXPECT_EQ(config.env().GetExtension(test_env).num_customers(), 40);
  EXPECT_EQ(TrainError({"--customers", "40"}),
            "--customers 40: env.cartpole.num_customers: the environment cartpole has no "
            "num_customers; set env.name to one that has: test_env");
  EXPECT_EQ(TrainError({"--customers", "0", "--config", "routes"}),
            "--customers 0: env.test_env.num_customers: 0 is out of range; it must be from 1 to "
            "1000");
}

TEST_F(CommandLineTest, HelpLooksAtNothingElse) {
  EXPECT_TRUE(Train({"--nonsense", "--help"}).help);
  EXPECT_TRUE(Evaluate({"-h"}).help);
}

TEST_F(CommandLineTest, AMistakeNamesTheFlagAndTheRemedy) {
  EXPECT_EQ(TrainError({"--num-env", "4"}), "--num-env: unknown flag; did you mean --num-envs?");
  EXPECT_EQ(TrainError({"--zzzzzzzz"}), "--zzzzzzzz: unknown flag; --help lists the known ones");
  EXPECT_THAT(TrainError({"--"}), HasSubstr("--: unknown flag"));
  EXPECT_EQ(TrainError({"cartpole"}),
            "cartpole: unexpected argument; flags begin with --, see --help");
  EXPECT_EQ(TrainError({"--num-envs"}), "--num-envs: needs a value: N");
  EXPECT_EQ(TrainError({"--device", "--dry-run"}),
            "--device: needs a value: auto, cpu, cuda or mps");
  EXPECT_EQ(TrainError({"--dry-run=yes"}), "--dry-run=yes: --dry-run takes no value");
  EXPECT_EQ(TrainError({"--n-envs", "-5"}),
            "--n-envs -5: scale.num_envs: -5 is out of range; it must be from 1 to 65536, or auto");
  EXPECT_EQ(TrainError({"--device", "gpux"}),
            "--device gpux: run.device: expected auto, cpu, cuda or mps, found \"gpux\"");
  EXPECT_EQ(TrainError({"--seed=many"}),
            "--seed many: train.seed: expected a whole number, found \"many\"");
  EXPECT_THAT(TrainError({"--duration", "5x"}), HasSubstr("--duration 5x: expected a time"));
  EXPECT_EQ(TrainError({"--config", "nope"}),
            "--config nope: no such file; " + folder_ + "/configs has dvrptw_64, other, routes");
  EXPECT_THAT(TrainError({"--num-envs-per-worker", "4"}), HasSubstr("needs scale.num_workers"));
}

TEST_F(CommandLineTest, EvaluateOfAScriptedPolicyNeedsNoRun) {
  const CommandLine line =
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

TEST_F(CommandLineTest, AScriptedPolicyAndARunCannotBothPlay) {
  EXPECT_EQ(
      UsageErrorOf([] {
        Evaluate({"--policy", "sleep", "--run-dir", "runs/a"});
      }),
      "--policy sleep: plays instead of a trained one; drop it, or --run-dir and --checkpoint");
}

TEST_F(CommandLineTest, EveryRedIsAskedForByName) {
  const CommandLine line = Evaluate({"--run-dir", "runs/a", "--red", "all"});
  EXPECT_EQ(line.every_value_of, "red");
  EXPECT_TRUE(std::ranges::none_of(line.overrides,
                                   [](const Override& o) { return o.path == "env.<env>.red"; }));
}

TEST_F(CommandLineTest, SettingsOfARunsEnvironmentWaitForTheRun) {
  const CommandLine line = Evaluate({"--run-dir", "runs/a", "--red", "meander"});
  Config config;
  config.mutable_env()->set_name("cage2");
  ApplyOverrides(line.overrides, &config);
  EXPECT_EQ(config.env().GetExtension(Cage2Config::cage2).red(), "meander");
  config.mutable_env()->set_name("pendulum");
  EXPECT_EQ(UsageErrorOf([&] { ApplyOverrides(line.overrides, &config); }),
            "--red meander: env.pendulum.red: the environment pendulum has no red; set env.name to "
            "one that has: cage2");
}

TEST_F(CommandLineTest, EvaluateHasFlagsOfItsOwn) {
  const CommandLine line =
      Evaluate({"--run-dir", "runs/a", "--episodes", "3", "--seed", "5", "--env", "pendulum",
                "--render", "--json", "--checkpoint", "c.ckpt"});
  EXPECT_EQ(line.config.run().dir(), folder_ + "/runs/a");
  EXPECT_EQ(line.config.evaluation().episodes(), 3);
  EXPECT_EQ(line.config.evaluation().seed(), 5u);
  EXPECT_EQ(line.config.env().name(), "pendulum");
  EXPECT_EQ(line.checkpoint, folder_ + "/c.ckpt");
  EXPECT_TRUE(line.render && line.json);
  EXPECT_EQ(UsageErrorOf([] { Evaluate({}); }),
            "evaluate: which run? Name its folder, --run-dir runs/NAME, or --checkpoint FILE, or a "
            "scripted --policy");
  EXPECT_EQ(UsageErrorOf([] { Evaluate({"--customers=5"}); }),
            "--customers: unknown flag; --help lists the known ones");
}

}  // namespace
}  // namespace dray
