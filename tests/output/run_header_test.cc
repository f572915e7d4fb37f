#include "src/output/run_header.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

RunHeader Example() {
  RunHeader header;
  header.environment = "cartpole";
  header.num_envs = 64;
  header.num_shards = 4;
  header.runner = "local";
  header.device = "cpu";
  header.episodes = 1000;
  header.epochs = 15;
  header.epoch_episodes = 64;
  header.seed = 42;
  header.run_dir = "runs/a";
  return header;
}

std::string SecondLine(const RunHeader& header) {
  const std::string text = HeaderText(header, 200);
  const size_t start = text.find('\n', text.find("Training")) + 1;
  return text.substr(start, text.find('\n', start) - start);
}

TEST(RunHeader, IsTwoLinesBetweenRules) {
  const std::string rule(80, '=');
  EXPECT_EQ(HeaderText(Example()),
            rule +
                "\nTraining cartpole with PPO · 64 environments in 4 shards · runner local · cpu\n"
                "Episodes 1000 · epochs 15 (1 epoch = 64 episodes) · seed 42 · run runs/a\n" +
                rule + "\n");
}

TEST(RunHeader, AnEpochOfStepsSaysHowManySamplesThatIs) {
  RunHeader header = Example();
  header.episodes = 0;
  header.total_steps = 500000;
  header.epochs = 976;
  header.num_envs = 4;
  header.epoch_episodes = 0;
  header.epoch_steps_per_env = 128;
  EXPECT_EQ(SecondLine(header),
            "Steps 500000 · epochs 976 (1 epoch = 128 steps x 4 environments = 512 samples) · seed "
            "42 · run runs/a");
}

TEST(RunHeader, BreaksLinesAtTheWidthOfTheTerminal) {
  EXPECT_EQ(
      HeaderText(Example(), 40),
      std::string(40, '=') +
          "\nTraining cartpole with PPO\n  64 environments in 4 shards\n  runner local · cpu\n"
          "Episodes 1000\n  epochs 15 (1 epoch = 64 episodes)\n  seed 42 · run runs/a\n" +
          std::string(40, '=') + "\n");
}

TEST(RunHeader, ATimeLimitAloneLeavesTheEpochsOpen) {
  RunHeader header = Example();
  header.episodes = 0;
  header.epochs = 0;
  header.duration_s = 600;
  EXPECT_EQ(SecondLine(header),
            "Epochs no limit (1 epoch = 64 episodes) · at most 10m 00s · seed 42 · run runs/a");
}

TEST(RunHeader, OneIsSingularAndAResumedRunSaysSo) {
  RunHeader header = Example();
  header.num_envs = 1;
  header.num_shards = 1;
  header.epoch_episodes = 1;
  header.resumed_from_epoch = 7;
  EXPECT_NE(HeaderText(header).find("1 environment in 1 shard"), std::string::npos);
  EXPECT_EQ(
      SecondLine(header),
      "Episodes 1000 · epochs 15 (1 epoch = 1 episode) · seed 42 · run runs/a · resumed after "
      "epoch 7");
}

}  // namespace
}  // namespace dray
