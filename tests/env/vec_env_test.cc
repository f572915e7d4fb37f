#include "src/env/vec_env.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/base/error.h"
#include "tests/envs/batch_player.h"

namespace dray {
namespace {

// Counts up from 0. Action 1 terminates, the clock truncates after 3 steps; the reward is the count
// reached. The mask forbids to terminate at the count 0. The statistic is the last count, tenfold.
class Counter : public Env {
 public:
  Counter() {
    spec_.name = "counter";
    spec_.observation_size = 2;
    spec_.actions = ActionSpace::Discrete(2);
    spec_.max_episode_steps = 3;
    spec_.masked = true;
    spec_.episode_stats = {"tenfold"};
  }
  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng& rng, std::span<float> observation) override {
    count_ = 0;
    draw_ = rng.Below(1000);
    Observe(observation);
  }
  Outcome Step(const Action& action, Rng&, std::span<float> observation) override {
    ++count_;
    Observe(observation);
    return {static_cast<float>(count_), action.index == 1, count_ == 3};
  }
  void WriteMask(std::span<uint8_t> mask) const override {
    mask[0] = 1;
    mask[1] = count_ > 0;
  }
  void WriteEpisodeStats(std::span<double> stats) const override { stats[0] = 10 * count_; }
  std::string Render() const override { return Cat(count_); }
  void Save(ByteWriter& out) const override {
    out.Put(count_);
    out.Put(draw_);
  }
  void Load(ByteReader& in) override {
    count_ = in.Get<int32_t>();
    draw_ = in.Get<uint32_t>();
  }

 private:
  void Observe(std::span<float> observation) const {
    observation[0] = static_cast<float>(count_);
    observation[1] = static_cast<float>(draw_);
  }

  EnvSpec spec_;
  int32_t count_ = 0;
  uint32_t draw_ = 0;
};

// Shows the action that it was given.
class Echo : public Env {
 public:
  Echo() {
    spec_.name = "echo";
    spec_.observation_size = 2;
    spec_.actions = ActionSpace::Box({-1, 0}, {1, 5});
    spec_.max_episode_steps = 100;
  }
  const EnvSpec& spec() const override { return spec_; }
  void Reset(Rng&, std::span<float> observation) override { observation[0] = observation[1] = 0; }
  Outcome Step(const Action& action, Rng&, std::span<float> observation) override {
    std::copy(action.values.begin(), action.values.end(), observation.begin());
    return {};
  }
  std::string Render() const override { return ""; }
  void Save(ByteWriter&) const override {}
  void Load(ByteReader&) override {}

 private:
  EnvSpec spec_;
};

template <typename T>
BatchPlayer Play(int count, uint64_t first_index = 0) {
  std::vector<std::unique_ptr<Env>> envs;
  for (int i = 0; i < count; ++i) envs.push_back(std::make_unique<T>());
  const EnvStreams streams{.seed = 1, .first_index = first_index};
  BatchPlayer player(std::make_unique<VecEnv>(std::move(envs), streams), streams);
  player.Reset();
  return player;
}

void StepIndices(BatchPlayer& player, const std::vector<int32_t>& indices) {
  player.StepWith({.indices = indices, .values = {}});
}

TEST(VecEnv, TheNextEpisodeStartsWithinTheStepThatEndsOne) {
  BatchPlayer player = Play<Counter>(2);
  StepIndices(player, {0, 0});
  EXPECT_EQ(player.observations[0], 1);
  EXPECT_EQ(player.observations[2], 1);
  StepIndices(player, {1, 0});
  EXPECT_EQ(player.observations[0], 0);  // a new episode
  EXPECT_EQ(player.observations[2], 2);
  EXPECT_EQ(player.rewards, (std::vector<float>{2, 2}));
  EXPECT_EQ(player.terminated, (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(player.truncated, (std::vector<uint8_t>{0, 0}));
  StepIndices(player, {0, 0});
  EXPECT_EQ(player.observations[0], 1);
  EXPECT_EQ(player.observations[2], 0);
  EXPECT_EQ(player.truncated, (std::vector<uint8_t>{0, 1}));
  EXPECT_EQ(player.terminated, (std::vector<uint8_t>{0, 0}));
}

TEST(VecEnv, TheFinalObservationIsKeptForThoseThatEnded) {
  BatchPlayer player = Play<Counter>(2);
  StepIndices(player, {0, 0});
  StepIndices(player, {1, 0});
  EXPECT_EQ(player.final_observations[0], 2);
  EXPECT_TRUE(std::isnan(player.final_observations[2]));
}

TEST(VecEnv, TerminatedAndTruncatedCanHoldTogether) {
  BatchPlayer player = Play<Counter>(1);
  StepIndices(player, {0});
  StepIndices(player, {0});
  StepIndices(player, {1});
  EXPECT_EQ(player.terminated[0], 1);
  EXPECT_EQ(player.truncated[0], 1);
  EXPECT_EQ(player.env->TakeEpisodes().size(), 1u);
}

TEST(VecEnv, MasksAreThoseOfTheObservationBesideThem) {
  BatchPlayer player = Play<Counter>(2);
  EXPECT_EQ(player.masks, (std::vector<uint8_t>{1, 0, 1, 0}));
  StepIndices(player, {0, 0});
  EXPECT_EQ(player.masks, (std::vector<uint8_t>{1, 1, 1, 1}));
  StepIndices(player, {1, 0});
  EXPECT_EQ(player.masks, (std::vector<uint8_t>{1, 0, 1, 1}));
}

TEST(VecEnv, EpisodesAreReportedOnceWithReturnLengthAndStatistics) {
  BatchPlayer player = Play<Counter>(2);
  for (int step = 0; step < 3; ++step) StepIndices(player, {0, step == 1});
  const std::vector<Episode> episodes = player.env->TakeEpisodes();
  ASSERT_EQ(episodes.size(), 2u);
  EXPECT_EQ(episodes[0].env, 1);
  EXPECT_EQ(episodes[0].length, 2);
  EXPECT_EQ(episodes[0].total_reward, 1 + 2);
  EXPECT_EQ(episodes[0].stats, (std::vector<double>{20}));
  EXPECT_EQ(episodes[1].env, 0);
  EXPECT_EQ(episodes[1].length, 3);
  EXPECT_EQ(episodes[1].total_reward, 1 + 2 + 3);
  EXPECT_EQ(episodes[1].stats, (std::vector<double>{30}));
  EXPECT_TRUE(player.env->TakeEpisodes().empty());
}

TEST(VecEnv, ResetForgetsTheRunningEpisode) {
  BatchPlayer player = Play<Counter>(1);
  StepIndices(player, {0});
  player.Reset();
  StepIndices(player, {1});
  const std::vector<Episode> episodes = player.env->TakeEpisodes();
  ASSERT_EQ(episodes.size(), 1u);
  EXPECT_EQ(episodes[0].length, 1);
  EXPECT_EQ(episodes[0].total_reward, 1);
}

TEST(VecEnv, EveryEnvironmentDrawsFromTheStreamOfItsIndex) {
  BatchPlayer whole = Play<Counter>(4);
  BatchPlayer part = Play<Counter>(2, /*first_index=*/2);
  EXPECT_EQ(whole.observations[5], part.observations[1]);
  EXPECT_EQ(whole.observations[7], part.observations[3]);
  EXPECT_NE(whole.observations[1], whole.observations[3]);
  Rng stream(1, RngPurpose::kEnvironment, 3);
  EXPECT_EQ(part.observations[3], static_cast<float>(stream.Below(1000)));
}

TEST(VecEnv, ASavedBatchKeepsItsRunningAndItsUntakenEpisodes) {
  BatchPlayer original = Play<Counter>(2);
  StepIndices(original, {0, 0});
  StepIndices(original, {1, 0});
  BatchPlayer copy = Play<Counter>(2, /*first_index=*/5);
  copy.Load(original.Saved());
  for (BatchPlayer* player : {&original, &copy}) StepIndices(*player, {0, 0});
  EXPECT_EQ(copy.observations, original.observations);
  const std::vector<Episode> episodes = copy.env->TakeEpisodes();
  ASSERT_EQ(episodes.size(), 2u);
  EXPECT_EQ(episodes[0].length, 2);
  EXPECT_EQ(episodes[0].stats, (std::vector<double>{20}));
  EXPECT_EQ(episodes[1].length, 3);
  EXPECT_EQ(episodes[1].total_reward, 1 + 2 + 3);
}

TEST(VecEnv, EnvironmentsOfAnotherKindCannotBeLoaded) {
  BatchPlayer counters = Play<Counter>(1);
  BatchPlayer echoes = Play<Echo>(1);
  try {
    echoes.Load(counters.Saved());
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "saved environments are not echo but \"counter\"");
  }
}

TEST(VecEnv, ContinuousActionsAreClippedToTheirBox) {
  BatchPlayer player = Play<Echo>(2);
  const std::vector<float> values = {-7, 2.5, 0.5, std::numeric_limits<float>::infinity()};
  player.StepWith({.indices = {}, .values = values});
  EXPECT_EQ(player.observations, (std::vector<float>{-1, 2.5, 0.5, 5}));
}

TEST(VecEnv, AnActionThatIsNotANumberIsAnErrorThatSaysWhy) {
  BatchPlayer player = Play<Echo>(1);
  const std::vector<float> values = {0, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_THROW(player.StepWith({.indices = {}, .values = values}), Error);
}

TEST(VecEnvDeathTest, AnActionThatDoesNotExistIsABug) {
  BatchPlayer player = Play<Counter>(1);
  EXPECT_DEATH(StepIndices(player, {2}), "index < spec_.actions.count");
  EXPECT_DEATH(StepIndices(player, {-1}), "index >= 0");
}

}  // namespace
}  // namespace dray
