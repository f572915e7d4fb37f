#include "src/envs/delivery/planning/race.h"

#include <gtest/gtest.h>

#include <array>

#include "src/base/rng.h"

namespace dray::delivery {
namespace {

constexpr std::array<int, 3> kActions = {7, 3, 5};

TEST(Race, TheLeastMeanWinsAndOfEqualsTheFirst) {
  Race race;
  race.Begin(kActions, {});
  race.Play([](int action) { return action == 5 ? 1.0 : 4.0; });
  race.Play([](int action) { return action == 5 ? 9.0 : 4.0; });
  EXPECT_FALSE(race.Decided());
  EXPECT_EQ(race.Best(), 7);
  race.Begin(kActions, {});
  race.Play([](int action) { return action == 5 ? 1.0 : 4.0; });
  EXPECT_EQ(race.Best(), 5);
}

TEST(Race, WhoIsClearlyWorseDropsOut) {
  Race race;
  race.Begin(kActions, {});
  Rng rng(1, RngPurpose::kTest, 0);
  int played = 0;
  do {
    const double future = 100 * rng.Normal();
    race.Play([&](int action) { return future + rng.Normal() + (action == 3 ? 3 : 0); });
    ++played;
    race.Decided();
  } while (race.left() == 3 && played < 1000);
  // What all share, a hundred times as much, does not count; the first look is after 16 futures.
  EXPECT_EQ(played, 16);
  EXPECT_EQ(race.left(), 2);
  EXPECT_FALSE(race.Any([](int action) { return action == 3; }));
  EXPECT_TRUE(race.Any([](int action) { return action == 5; }));
}

TEST(Race, APriorIsWorthItsFutures) {
  std::array<float, 8> values{};
  values[5] = -10;
  for (const double futures : {1.0, 100.0}) {
    Race race;
    race.Begin(kActions, {values, futures});
    for (int i = 0; i < 10; ++i) race.Play([](int action) { return action == 3 ? -5.0 : 0.0; });
    EXPECT_EQ(race.Best(), futures == 1 ? 3 : 5);
  }
}

}  // namespace
}  // namespace dray::delivery
