#include "src/envs/cage2/mixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

using testing::ElementsAre;

std::string ErrorOf(const std::string& text) {
  try {
    Mixture::Parse(text, "some.setting");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Mixture, NamesMayContainSpacesAndDigits) {
  const Mixture mixture = Mixture::Parse(" 0.25 runs/my red ,0.75   2nd ", "some.setting");
  EXPECT_THAT(mixture.names, ElementsAre("runs/my red", "2nd"));
  EXPECT_THAT(mixture.shares, ElementsAre(0.25, 0.75));
}

TEST(Mixture, WithoutSharesAllAreEquallyLikely) {
  EXPECT_THAT(Mixture::Parse("one", "some.setting").shares, ElementsAre(1));
  EXPECT_THAT(Mixture::Parse("a, b, c, d", "some.setting").shares,
              ElementsAre(0.25, 0.25, 0.25, 0.25));
}

TEST(Mixture, MistakesNameTheSetting) {
  EXPECT_EQ(ErrorOf(""), "some.setting: is empty");
  EXPECT_EQ(ErrorOf("a,,b"), "some.setting: a part of \"a,,b\" is empty");
  EXPECT_EQ(ErrorOf("0.5 a, b"),
            "some.setting: some parts of \"0.5 a, b\" have a share and some have none");
  EXPECT_EQ(ErrorOf("0.5 a, 0.4 b"),
            "some.setting: the shares of \"0.5 a, 0.4 b\" sum to 0.9, not to 1");
  EXPECT_EQ(ErrorOf("-1 a, 2 b"), "some.setting: the share -1 of a is not between 0 and 1");
  EXPECT_EQ(ErrorOf("nan a"), "some.setting: the share nan of a is not between 0 and 1");
}

TEST(DrawShare, ACertainOneTakesNoChance) {
  Rng rng(3, RngPurpose::kTest, 0), untouched(3, RngPurpose::kTest, 0);
  const std::vector<double> shares = {0, 1, 0};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(DrawShare(shares, rng), size_t{1});
  EXPECT_EQ(rng.Next32(), untouched.Next32());
}

TEST(DrawShare, WhatHasNoShareIsNeverDrawn) {
  Rng rng(3, RngPurpose::kTest, 0);
  const std::vector<double> shares = {0.3333, 0, 0.3333, 0.3333, 0};
  std::vector<int> drawn(shares.size());
  for (int i = 0; i < 30000; ++i) ++drawn[DrawShare(shares, rng)];
  EXPECT_EQ(drawn[1] + drawn[4], 0);
  for (const size_t i : {0, 2, 3}) EXPECT_NEAR(drawn[i], 10000, 400);
}

}  // namespace
}  // namespace dray::cage2
