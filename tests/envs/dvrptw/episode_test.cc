#include "src/envs/dvrptw/episode.h"

#include <gtest/gtest.h>

#include <set>

#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

class Episodes : public ::testing::Test {
 protected:
  const City city_ = GenerateCity(1, 207, /*asymmetric=*/false);
  const std::vector<Rider> riders_ = GenerateRiders(city_, 30, delivery::UNIFORM, 1);
};

TEST_F(Episodes, EveryRiderArrivesOnceWithATripOfItsOwn) {
  for (uint64_t episode = 0; episode < 50; ++episode) {
    std::set<int> seen;
    for (const Arrival& arrival : DrawEpisode({.seed = 1, .episode = episode}, riders_, 0)) {
      seen.insert(arrival.rider);
      EXPECT_GE(arrival.trip, 0);
      EXPECT_LT(arrival.trip, 52);
      EXPECT_FALSE(arrival.contrary);
    }
    EXPECT_EQ(seen.size(), 30u);
  }
}

// Mistake 4 of the original: the step named the rider.
TEST_F(Episodes, TheStepDoesNotNameTheRider) {
  std::set<int> first;
  for (uint64_t episode = 0; episode < 300; ++episode) {
    first.insert(DrawEpisode({.seed = 1, .episode = episode}, riders_, 0)[0].rider);
  }
  EXPECT_EQ(first.size(), 30u);
}

TEST_F(Episodes, AreNamedBySeedPurposeEnvironmentAndNumberAlone) {
  const EpisodeKey key = {.seed = 3, .env = 5, .episode = 7};
  const auto episode = DrawEpisode(key, riders_, 0.1);
  // Whatever else was drawn in between.
  DrawEpisode({.seed = 3, .env = 5, .episode = 6}, riders_, 0.1);
  EXPECT_EQ(DrawEpisode(key, riders_, 0.1), episode);

  for (EpisodeKey other :
       {EpisodeKey{.seed = 4, .env = 5, .episode = 7},
        EpisodeKey{.seed = 3, .env = 7, .episode = 5},
        EpisodeKey{.seed = 3, .env = 5, .episode = 8},
        EpisodeKey{.seed = 3, .purpose = RngPurpose::kEvaluation, .env = 5, .episode = 7}}) {
    EXPECT_NE(DrawEpisode(other, riders_, 0.1), episode);
  }
}

TEST_F(Episodes, NoiseChangesMoodsAndNothingElse) {
  int contrary = 0;
  for (uint64_t i = 0; i < 400; ++i) {
    const EpisodeKey key = {.seed = 1, .episode = i};
    const auto calm = DrawEpisode(key, riders_, 0);
    auto noisy = DrawEpisode(key, riders_, 0.1);
    for (Arrival& arrival : noisy) {
      contrary += arrival.contrary;
      arrival.contrary = false;
    }
    ASSERT_EQ(noisy, calm);
  }
  EXPECT_NEAR(contrary / 12000.0, 0.1, 0.01);
}

TEST_F(Episodes, ExplorationIsUniform) {
  double draws = 0;
  std::array<int, kFlexibilityTypes> types{};
  for (uint64_t i = 0; i < 400; ++i) {
    for (const Arrival& arrival : DrawEpisode({.seed = 2, .episode = i}, riders_, 0)) {
      draws += arrival.explore_draw < 0.2;
      ++types[static_cast<size_t>(arrival.explore_as)];
    }
  }
  EXPECT_NEAR(draws / 12000, 0.2, 0.015);
  for (const int count : types) EXPECT_NEAR(count, 3000, 200);
}

// The next episode has the next number, and a random stream can be named by 32 bits.
TEST(EpisodeKey, ANumberThatCannotBeCountedOnIsAnError) {
  const auto load = [](uint64_t env, uint64_t episode) {
    ByteWriter out;
    delivery::SaveKey({.seed = 1, .env = env, .episode = episode}, out);
    ByteReader in(out.bytes(), "a key");
    return delivery::LoadKey(in).episode;
  };
  EXPECT_EQ(load(3, 7), 7u);
  EXPECT_THROW(load(3, (uint64_t{1} << 32) - 1), Error);
  EXPECT_THROW(load(3, ~uint64_t{0}), Error);
  EXPECT_THROW(load(uint64_t{1} << 32, 7), Error);
}

}  // namespace
}  // namespace dray::dvrptw
