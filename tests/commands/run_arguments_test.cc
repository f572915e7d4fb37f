#include "src/commands/run_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "src/base/file.h"
#include "src/commands/command_host.h"
#include "src/config/command.h"
#include "src/envs/cartpole/cartpole.pb.h"
#include "tests/config/error_text.h"
#include "tests/config/test_env.pb.h"

namespace dray {

namespace commands {
Command train(const CommandHost& host);
}

namespace {

using testing::HasSubstr;

// A folder of the user's with configs/dvrptw_64.yaml, configs/other.yaml and configs/routes.yaml.
class RunArgumentsTest : public testing::Test {
 protected:
  RunArgumentsTest() {
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
  ~RunArgumentsTest() override { unsetenv("BUILD_WORKING_DIRECTORY"); }

  void WriteRun(const std::string& name, const std::string& settings) const {
    MakeWritableFolder(folder_ + "/" + name);
    WriteFileAtomically(folder_ + "/" + name + "/config.yaml", settings);
  }
  static RunArguments Train(const std::vector<std::string>& arguments) {
    const Command train = commands::train({});
    return ReadRunArguments(GivenFlags(train.flags, *train.settings, arguments),
                            "configs/dvrptw_64.yaml");
  }
  static std::string TrainError(const std::vector<std::string>& arguments) {
    return UsageErrorOf([&] { Train(arguments); });
  }

  const std::string folder_ = testing::TempDir() + "run_arguments";
};

TEST_F(RunArgumentsTest, WithoutFlagsTheDefaultConfigIsRead) {
  const RunArguments line = Train({});
  EXPECT_EQ(line.config_file, folder_ + "/configs/dvrptw_64.yaml");
  EXPECT_EQ(line.config.train().seed(), 1u);
  EXPECT_FALSE(line.dry_run || line.resume);
}

TEST_F(RunArgumentsTest, AnEnvironmentsNameMeansThePresetOfThatName) {
  WriteFileAtomically(folder_ + "/configs/cartpole.yaml", "train: {seed: 5}\n");
  EXPECT_EQ(Train({"--env", "cartpole"}).config.train().seed(), 5u);
  const RunArguments other = Train({"--env", "cartpole", "--config", "other"});
  EXPECT_EQ(other.config.train().seed(), 2u);
  EXPECT_EQ(other.config.env().name(), "cartpole");
  EXPECT_EQ(TrainError({"--env", "dvrptw"}),
            "--env dvrptw: there is no preset of this name; choose one with --config, such as "
            "dvrptw_64");
  EXPECT_THAT(TrainError({"--env", "cartpol"}),
              testing::StartsWith("--env cartpol: unknown environment \"cartpol\": did you mean "
                                  "\"cartpole\"? Known: acrobot, "));
}

TEST_F(RunArgumentsTest, FlagsOverrideSetsAndSetsOverrideYaml) {
  EXPECT_EQ(Train({"--config", "other"}).config.train().seed(), 2u);
  EXPECT_EQ(Train({"--config", "other", "--set", "train.seed=3"}).config.train().seed(), 3u);
  EXPECT_EQ(
      Train({"--seed", "4", "--config", "other", "--set", "train.seed=3"}).config.train().seed(),
      4u);
}

TEST_F(RunArgumentsTest, EveryNamedFlagSetsItsSetting) {
  const Config config =
      Train({"--runner", "ray",           "--run-dir=r", "--seed",          "7",  "--num-envs",
             "12",       "--episodes",    "100",         "--save-interval", "5",  "--log-interval",
             "6",        "--device",      "cpu",         "--duration",      "5m", "--epochs",
             "8",        "--total-steps", "9",           "--num-workers",   "3",  "--learning-rate",
             "1e-3"})
          .config;
  EXPECT_EQ(config.run().runner(), RunConfig::RAY);
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

TEST_F(RunArgumentsTest, AliasesMeanTheSame) {
  const Config config =
      Train({"--n-envs", "12", "--num-episodes=100", "--duration", "0.01h"}).config;
  EXPECT_EQ(config.scale().num_envs(), 12);
  EXPECT_EQ(config.train().episodes(), 100);
  EXPECT_EQ(config.train().duration_s(), 36);
  EXPECT_EQ(Train({"--checkpoint-dir", "a"}).config.run().dir(), folder_ + "/a");
  EXPECT_EQ(Train({"--output-dir", "b"}).config.run().dir(), folder_ + "/b");
}

TEST_F(RunArgumentsTest, ADurationOfAResumedRunIsNoSettingOfTheRun) {
  EXPECT_FALSE(Train({"--duration", "5m"}).duration_s);
  const RunArguments resumed =
      Train({"--resume", "--config", "other", "--duration", "5m", "--set", "train.duration_s=7"});
  EXPECT_EQ(resumed.duration_s, 300);
  EXPECT_EQ(resumed.config.train().duration_s(), 7);
}

TEST_F(RunArgumentsTest, OfRepeatedFlagsTheLastWins) {
  EXPECT_EQ(Train({"--n-envs", "3", "--num-envs", "5"}).config.scale().num_envs(), 5);
  const Config config =
      Train({"--set", "ppo.gamma=0.1", "--set", "ppo.clip=0.3", "--set=ppo.gamma=0.2"}).config;
  EXPECT_EQ(config.ppo().gamma(), 0.2);
  EXPECT_EQ(config.ppo().clip(), 0.3);
}

TEST_F(RunArgumentsTest, AFlagIsNotOutrankedByOtherSettingsOfTheFile) {
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

TEST_F(RunArgumentsTest, WorkersTimesEnvironmentsPerWorkerSetTheNumberOfEnvironments) {
  EXPECT_EQ(Train({"--config", "other"}).config.scale().num_envs(), 32);
  EXPECT_EQ(Train({"--num-workers", "3", "--num-envs-per-worker", "5"}).config.scale().num_envs(),
            15);
  const ScaleConfig scale = Train({"--config", "other", "--num-envs", "64"}).config.scale();
  EXPECT_EQ(scale.num_envs(), 64);
  EXPECT_EQ(scale.num_workers(), 4);
  EXPECT_EQ(scale.num_envs_per_worker(), 0);
}

TEST_F(RunArgumentsTest, TheRunFolderOfAFileIsFromWhereTheUserStands) {
  EXPECT_EQ(Train({"--config", "other"}).config.run().dir(), folder_ + "/from_yaml");
}

TEST_F(RunArgumentsTest, ARunFolderMayHaveAnyName) {
  EXPECT_EQ(Train({"--run-dir", "/a: [b, #c"}).config.run().dir(), "/a: [b, #c");
}

TEST_F(RunArgumentsTest, ResumeTakesAFolderOrUsesTheRunFolder) {
  WriteRun("runs/a", "");
  const RunArguments named = Train({"--resume", "runs/a", "--dry-run"});
  EXPECT_TRUE(named.resume && named.dry_run);
  EXPECT_EQ(named.config.run().dir(), folder_ + "/runs/a");
  EXPECT_EQ(Train({"--resume=runs/a"}).config.run().dir(), folder_ + "/runs/a");
  const RunArguments bare = Train({"--resume", "--run-dir", "runs/a"});
  EXPECT_TRUE(bare.resume);
  EXPECT_EQ(bare.config.run().dir(), folder_ + "/runs/a");
  EXPECT_EQ(Train({"--resume", "--config", "other"}).config.run().dir(), folder_ + "/from_yaml");
}

TEST_F(RunArgumentsTest, AResumedRunStartsFromItsOwnSettings) {
  WriteRun("runs/a", "env: {name: test_env}\nppo: {gamma: 0.5}\nrun: {dir: /moved/from/here}\n");
  const RunArguments line = Train({"--resume", "runs/a", "--seed", "9", "--customers", "40"});
  EXPECT_EQ(line.config_file, folder_ + "/runs/a/config.yaml");
  EXPECT_EQ(line.config.ppo().gamma(), 0.5);
  EXPECT_EQ(line.config.train().seed(), 9u);
  EXPECT_EQ(line.config.env().GetExtension(test_env).num_customers(), 40);
  EXPECT_EQ(line.config.run().dir(), folder_ + "/runs/a");
}

TEST_F(RunArgumentsTest, ResumeNeedsOneRunThatExists) {
  const std::string which = "--resume: give the run's folder: --resume runs/NAME";
  EXPECT_EQ(TrainError({"--resume"}), which);
  EXPECT_EQ(TrainError({"--resume", "--config", "dvrptw_64"}), which);
  EXPECT_EQ(TrainError({"--resume", "a", "--run-dir", "b"}),
            "--resume a: a resumed run continues in its own folder; drop --run-dir b");
  EXPECT_EQ(TrainError({"--resume", "gone"}), "--resume " + folder_ + "/gone: there is no " +
                                                  folder_ +
                                                  "/gone/config.yaml; name the folder of a run");
}

TEST_F(RunArgumentsTest, CustomersAreThoseOfTheChosenEnvironment) {
  const Config config = Train({"--customers", "40", "--config", "routes"}).config;
  EXPECT_EQ(config.env().GetExtension(test_env).num_customers(), 40);
  EXPECT_EQ(TrainError({"--customers", "40"}),
            "--customers 40: env.cartpole.num_customers: the environment cartpole has no "
            "num_customers; set env.name to one that has: dvrptw, dvrptw_offer or test_env");
  EXPECT_EQ(TrainError({"--customers", "0", "--config", "routes"}),
            "--customers 0: env.test_env.num_customers: 0 is out of range; it must be from 1 to "
            "1000");
}

TEST_F(RunArgumentsTest, AMistakeNamesTheFlagAndTheRemedy) {
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
  EXPECT_THAT(TrainError({"--duration", "5x"}),
              HasSubstr("--duration 5x: expected a number of seconds"));
  EXPECT_EQ(TrainError({"--duration", "5"}),
            "--duration 5: expected a number of seconds, minutes or hours: 30s, 5m or 2h");
  EXPECT_EQ(TrainError({"--config", "nope"}),
            "--config nope: no such file; " + folder_ + "/configs has dvrptw_64, other, routes");
  EXPECT_THAT(TrainError({"--num-envs-per-worker", "4"}), HasSubstr("needs scale.num_workers"));
}

}  // namespace
}  // namespace dray
