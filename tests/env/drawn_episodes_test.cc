#include "src/env/drawn_episodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::ElementsAre;

TEST(DrawnEpisodes, AreNamedByNumbersOrByHowGoodTheyWere) {
  const std::vector<double> scores = {3, 9, 1, 5, 7};
  EXPECT_THAT(DrawnEpisodes().Choose({}), ElementsAre(1));
  EXPECT_THAT(DrawnEpisodes::Parse("4,2").Choose({}), ElementsAre(4, 2));
  const DrawnEpisodes named = DrawnEpisodes::Parse("best,median,worst");
  EXPECT_TRUE(named.by_score());
  EXPECT_THAT(named.Choose(scores), ElementsAre(2, 4, 3));
  EXPECT_THAT(named.Choose(std::vector<double>{5}), ElementsAre(1));
  EXPECT_THAT(DrawnEpisodes::Parse("2,worst,best").Choose(scores), ElementsAre(2, 3));
}

TEST(DrawnEpisodes, WhatIsNoneIsRefused) {
  for (const char* wrong : {"", "0", "-1", "one", "1,", "best;worst", "99999999999"}) {
    EXPECT_THROW(DrawnEpisodes::Parse(wrong), Error) << wrong;
  }
  EXPECT_THROW(DrawnEpisodes::Parse("5").ExpectWithin(4), Error);
  DrawnEpisodes::Parse("4,best").ExpectWithin(4);
}

}  // namespace
}  // namespace dray
