#include "src/learn/divergence.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

constexpr UpdateSigns kSound{.kl = 0.02, .most_value = 50, .most_reward = 1};
constexpr UpdateSigns kJump{.kl = 30, .most_value = 50, .most_reward = 1};

TEST(DivergenceWatch, SoundUpdatesAreLeftAlone) {
  DivergenceWatch watch(0.99, 500);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(watch.See(kSound), Divergence::kNone);
  EXPECT_FALSE(watch.diverged());
}

TEST(DivergenceWatch, JumpsInARowAreDivergenceOneByItselfIsNot) {
  DivergenceWatch watch(0.99, 500);
  for (int i = 1; i < DivergenceWatch::kPatience; ++i) {
    EXPECT_EQ(watch.See(kJump), Divergence::kKl);
    EXPECT_FALSE(watch.diverged());
  }
  watch.See(kSound);
  for (int i = 1; i < DivergenceWatch::kPatience; ++i) watch.See(kJump);
  EXPECT_FALSE(watch.diverged());
  watch.See(kJump);
  EXPECT_TRUE(watch.diverged());
  watch.Forget();
  EXPECT_FALSE(watch.diverged());
}

TEST(DivergenceWatch, ACriticMayNotPromiseAHundredTimesWhatRewardsAddUpTo) {
  DivergenceWatch watch(0.99, 500);  // rewards of 1 add up to 100
  EXPECT_EQ(watch.See({.most_value = 9'900, .most_reward = 1}), Divergence::kNone);
  EXPECT_EQ(watch.See({.most_value = 10'100, .most_reward = 0.1}), Divergence::kValue);
  DivergenceWatch undiscounted(1, 30);
  EXPECT_EQ(undiscounted.See({.most_value = 2'900, .most_reward = 1}), Divergence::kNone);
  EXPECT_EQ(undiscounted.See({.most_value = 3'100, .most_reward = 1}), Divergence::kValue);
}

TEST(DivergenceWatch, WhatIsNoNumberIsDivergenceAtOnce) {
  DivergenceWatch watch(0.99, 500);
  EXPECT_EQ(watch.See({.numbers = false}), Divergence::kNotNumbers);
  EXPECT_TRUE(watch.diverged());
}

}  // namespace
}  // namespace dray
