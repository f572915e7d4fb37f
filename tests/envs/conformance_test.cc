// What every environment of the registry must do. A new one is tested by being registered.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/env/registry.h"
#include "tests/envs/batch_player.h"

namespace dray {
namespace {

constexpr uint64_t kSeed = 11;
constexpr int kCount = 3;

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  BatchPlayer Player(int count = kCount, uint64_t first_index = 0, uint64_t seed = kSeed) {
    return MakePlayer(GetParam(), seed, first_index, count);
  }
  EnvSpec Spec() { return SpecOf(ConfigForTests(GetParam())); }
  // Whether an episode always begins with the same observation.
  bool BeginsAlike() { return GetParam() == "cage2_red"; }
  // Enough for every environment to end an episode and to be well into another.
  int Steps() { return Spec().max_episode_steps * 3 / 2; }
};

bool AllFinite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

// Reset was the last call when `stepped` is false.
void ExpectWholeAndFinite(const BatchPlayer& player, bool stepped) {
  ASSERT_TRUE(AllFinite(player.observations));
  for (size_t i = 0; stepped && i < player.rewards.size(); ++i) {
    ASSERT_TRUE(std::isfinite(player.rewards[i]));
    ASSERT_LE(player.terminated[i], 1);
    ASSERT_LE(player.truncated[i], 1);
    if (player.Ended(i)) {
      ASSERT_TRUE(AllFinite(player.FinalObservationOf(i)));
    }
  }
  const auto actions = static_cast<size_t>(player.env->spec().actions.outputs());
  for (size_t start = 0; start < player.masks.size(); start += actions) {
    const auto mask = std::span(player.masks).subspan(start, actions);
    ASSERT_LE(*std::max_element(mask.begin(), mask.end()), 1);
    ASSERT_GT(std::count(mask.begin(), mask.end(), 1), 0);
  }
}

TEST_P(Conformance, TheSpecIsSensible) {
  const EnvSpec spec = Spec();
  EXPECT_EQ(spec.name, GetParam());
  EXPECT_GT(spec.observation_size, 0);
  EXPECT_GT(spec.actions.outputs(), 0);
  EXPECT_GT(spec.max_episode_steps, 0);
  if (spec.masked) {
    EXPECT_TRUE(spec.actions.discrete());
  }
}

TEST_P(Conformance, ABatchHasTheSizeAndSpecThatWereAskedFor) {
  BatchPlayer player = Player();
  EXPECT_EQ(player.env->size(), kCount);
  EXPECT_EQ(player.env->spec().observation_size, Spec().observation_size);
  EXPECT_EQ(player.env->spec().max_episode_steps, Spec().max_episode_steps);
}

TEST_P(Conformance, EverythingIsWrittenAndFinite) {
  BatchPlayer player = Player();
  player.Reset();
  ExpectWholeAndFinite(player, /*stepped=*/false);
  for (int step = 0; step < Steps(); ++step) {
    player.Step();
    ASSERT_NO_FATAL_FAILURE(ExpectWholeAndFinite(player, /*stepped=*/true)) << step;
  }
}

TEST_P(Conformance, FinalObservationsAreWrittenOnlyAtAnEnd) {
  BatchPlayer player = Player();
  player.Reset();
  for (int step = 0; step < Steps(); ++step) {
    player.Step();
    for (size_t i = 0; i < kCount; ++i) {
      if (player.Ended(i)) continue;
      for (const float value : player.FinalObservationOf(i)) ASSERT_TRUE(std::isnan(value));
    }
  }
}

TEST_P(Conformance, SameSeedAndActionsGiveTheSameBytes) {
  BatchPlayer a = Player();
  BatchPlayer b = Player();
  a.Reset();
  b.Reset();
  for (int step = 0; step < Steps(); ++step) {
    a.Step();
    b.Step();
    for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(a.BytesOf(i), b.BytesOf(i)) << step;
  }
  EXPECT_EQ(a.Saved(), b.Saved());
}

TEST_P(Conformance, AnotherSeedGivesAnotherEpisode) {
  BatchPlayer a = Player();
  BatchPlayer b = Player(kCount, 0, kSeed + 1);
  a.Reset();
  b.Reset();
  // What is seen alike allows the same actions.
  for (int step = 0; BeginsAlike() && step < Steps() && a.observations == b.observations; ++step) {
    a.Step();
    b.StepWith({.indices = a.indices, .values = a.values});
  }
  EXPECT_NE(a.observations, b.observations);
}

// Of a batch of 5 the environments 3 and 4 are the two of a batch that starts at stream 3.
TEST_P(Conformance, AnEnvironmentIsTheSameInAnyLayout) {
  BatchPlayer whole = Player(5, 0);
  BatchPlayer part = Player(2, 3);
  whole.Reset();
  part.Reset();
  for (int step = 0; step < Steps(); ++step) {
    whole.Step();
    part.Step();
    for (size_t i = 0; i < 2; ++i) ASSERT_EQ(whole.BytesOf(i + 3), part.BytesOf(i)) << step;
  }
}

TEST_P(Conformance, EpisodesEndInTimeAndAreReported) {
  BatchPlayer player = Player();
  const EnvSpec spec = player.env->spec();
  std::vector<int> length(kCount);
  std::vector<double> total_reward(kCount);
  size_t episodes = 0;
  player.Reset();
  for (int step = 0; step < Steps(); ++step) {
    player.Step();
    std::vector<int> ended;
    for (int i = 0; i < kCount; ++i) {
      ++length[i];
      total_reward[i] += player.rewards[i];
      ASSERT_LE(length[i], spec.max_episode_steps);
      if (player.Ended(i)) ended.push_back(i);
    }
    const std::vector<Episode> reported = player.env->TakeEpisodes();
    ASSERT_EQ(reported.size(), ended.size());
    for (const Episode& episode : reported) {
      ASSERT_TRUE(std::count(ended.begin(), ended.end(), episode.env)) << episode.env;
      EXPECT_EQ(episode.length, length[episode.env]);
      EXPECT_NEAR(episode.total_reward, total_reward[episode.env],
                  1e-6 * (1 + std::abs(total_reward[episode.env])));
      EXPECT_EQ(episode.stats.size(), spec.episode_stats.size());
      for (const double stat : episode.stats) EXPECT_TRUE(std::isfinite(stat));
      if (spec.fixed_length) {
        EXPECT_EQ(episode.length, spec.max_episode_steps);
      }
      length[episode.env] = 0;
      total_reward[episode.env] = 0;
    }
    episodes += reported.size();
  }
  EXPECT_GE(episodes, size_t{kCount});
}

TEST_P(Conformance, AfterAnEndTheNextEpisodeHasBegun) {
  BatchPlayer player = Player();
  player.Reset();
  int ends = 0;
  for (int step = 0; step < Steps(); ++step) {
    player.Step();
    for (size_t i = 0; i < kCount; ++i) {
      if (!player.Ended(i)) continue;
      ++ends;
      const auto first = player.ObservationOf(i);
      const auto last = player.FinalObservationOf(i);
      EXPECT_FALSE(std::equal(first.begin(), first.end(), last.begin()));
    }
  }
  EXPECT_GE(ends, kCount);
}

TEST_P(Conformance, ResetBeginsNewEpisodesInTheMiddleOfOldOnes) {
  BatchPlayer player = Player();
  player.Reset();
  const std::vector<float> first = player.observations;
  player.Step();
  player.env->TakeEpisodes();
  player.Reset();
  EXPECT_EQ(player.observations == first, BeginsAlike());
  ExpectWholeAndFinite(player, /*stepped=*/false);
  for (int step = 0; step < player.env->spec().max_episode_steps; ++step) player.Step();
  for (const Episode& episode : player.env->TakeEpisodes()) {
    EXPECT_LE(episode.length, player.env->spec().max_episode_steps);
  }
}

TEST_P(Conformance, ActionsAtTheBoundsAreCarriedOut) {
  const ActionSpace space = Spec().actions;
  for (const bool upper : {false, true}) {
    BatchPlayer player = Player();
    if (!player.masks.empty()) continue;  // the action may be forbidden
    player.Reset();
    const std::vector<int32_t> indices(player.indices.size(), upper ? space.count - 1 : 0);
    std::vector<float> values;
    while (values.size() < player.values.size()) {
      const std::vector<float>& bound = upper ? space.high : space.low;
      values.insert(values.end(), bound.begin(), bound.end());
    }
    for (int step = 0; step < Steps(); ++step) {
      player.StepWith({.indices = indices, .values = values});
      ASSERT_NO_FATAL_FAILURE(ExpectWholeAndFinite(player, /*stepped=*/true));
    }
  }
}

TEST_P(Conformance, ThePresentStateCanBeRead) {
  BatchPlayer player = Player();
  player.Reset();
  const std::string before = player.env->Render(0);
  player.Step();
  EXPECT_FALSE(before.empty());
  EXPECT_NE(player.env->Render(0), before);
}

TEST_P(Conformance, ALoadedBatchGoesOnAsTheSavedOneWould) {
  BatchPlayer original = Player();
  original.Reset();
  for (const int steps : {1, 7, Steps() / 3}) {
    for (int step = 0; step < steps; ++step) original.Step();
    // Of other streams: all of them come from the saved bytes.
    BatchPlayer copy = Player(kCount, 9, kSeed + 1);
    copy.Load(original.Saved());
    ASSERT_EQ(copy.Saved(), original.Saved());
    for (int step = 0; step < Steps(); ++step) {
      original.Step();
      copy.StepWith({.indices = original.indices, .values = original.values});
      for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(copy.BytesOf(i), original.BytesOf(i)) << step;
    }
    const auto theirs = original.env->TakeEpisodes();
    const auto ours = copy.env->TakeEpisodes();
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t k = 0; k < ours.size(); ++k) {
      EXPECT_EQ(ours[k].env, theirs[k].env);
      EXPECT_EQ(ours[k].length, theirs[k].length);
      EXPECT_EQ(ours[k].total_reward, theirs[k].total_reward);
      EXPECT_EQ(ours[k].stats, theirs[k].stats);
    }
  }
}

TEST_P(Conformance, TruncatedBytesAreAnError) {
  BatchPlayer player = Player();
  player.Reset();
  for (int step = 0; step < 5; ++step) player.Step();
  const std::string saved = player.Saved();
  // Every length, or about a thousand of them where the state is large.
  const size_t stride = std::max<size_t>(1, saved.size() / 1000);
  for (size_t size = 0; size < saved.size(); size += stride) {
    EXPECT_THROW(player.Load(std::string_view(saved).substr(0, size)), Error) << size;
  }
  EXPECT_THROW(player.Load(saved + "x"), Error);
  player.Load(saved);
  EXPECT_EQ(player.Saved(), saved);
}

// A flipped byte may still be a state that can occur; otherwise it is an Error, after which the
// batch can still be played. It never crashes.
TEST_P(Conformance, DamagedBytesAreAnErrorOrAPossibleState) {
  BatchPlayer player = Player();
  player.Reset();
  for (int step = 0; step < 5; ++step) player.Step();
  const std::string saved = player.Saved();
  ASSERT_FALSE(saved.empty());
  const std::vector<uint8_t> masks = player.masks;
  const size_t stride = std::max<size_t>(1, saved.size() / 500);
  for (size_t at = 0; at < saved.size(); at += stride) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string damaged = saved;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      try {
        player.Load(damaged);
      } catch (const Error&) {
        for (int step = 0; step < 3; ++step) player.Step();
        continue;
      }
      if (!masks.empty()) continue;  // the masks at hand are not of this state
      for (int step = 0; step < 10; ++step) player.Step();
      ASSERT_NO_FATAL_FAILURE(ExpectWholeAndFinite(player, /*stepped=*/true)) << at;
    }
  }
}

TEST_P(Conformance, AnotherNumberOfEnvironmentsCannotBeLoaded) {
  BatchPlayer player = Player();
  player.Reset();
  EXPECT_THROW(Player(kCount + 1).Load(player.Saved()), Error);
}

INSTANTIATE_TEST_SUITE_P(Registry, Conformance, testing::ValuesIn(EnvNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace dray
